package cli_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/interlock-go/interlock/tla"
)

const (
	workflowFile = "../../docs/ci/interlock.yaml"
	hookFile     = "../../docs/ci/pre-commit"
)

// step is one of the workflow's.
type step struct {
	Name, ID, If, Run, Uses string
	Env                     map[string]string
	With                    map[string]string
}

func workflow(t *testing.T) []step {
	t.Helper()
	src, err := os.ReadFile(workflowFile)
	require.NoError(t, err)
	var w struct {
		Jobs map[string]struct{ Steps []step }
	}
	require.NoError(t, yaml.Unmarshal(src, &w))
	steps := w.Jobs["tables"].Steps
	require.NotEmpty(t, steps)
	return steps
}

// runner runs a workflow's run steps as GitHub would, with what the
// conditions and expressions of ours are on this occasion.
type runner struct {
	*testing.T
	dir    string // the checkout
	temp   string
	holds  map[string]bool   // conditions
	values map[string]string // expressions
	output map[string]string // of steps
	ran    []string
	proved bool // TLC was run
}

func newRunner(t *testing.T) *runner {
	need(t, "git", "bash")
	r := &runner{T: t, dir: t.TempDir(), temp: t.TempDir(), output: map[string]string{}, holds: map[string]bool{}}
	bin := filepath.Join(r.temp, "bin")
	require.NoError(t, os.MkdirAll(bin, 0o755))
	// "go tool interlock" is the command that is tested; gh keeps one comment
	// in a file and notes what it is asked for.
	r.script("bin/go", "#!/bin/sh\n[ \"$1 $2\" = 'tool interlock' ] || { echo \"go $*?\" >&2; exit 1; }\nshift 2\nexec interlock \"$@\"\n")
	r.script("bin/gh", `#!/bin/sh
echo "$*" >> "$FAKE/asked"
case "$*" in
*"-X POST"*|*"-X PATCH"*) cp comment.md "$FAKE/comment" ;;
*--paginate*) if [ -f "$FAKE/comment" ]; then echo 77; fi ;;
esac
`)
	return r
}

func (r *runner) script(name, text string) {
	require.NoError(r, os.WriteFile(filepath.Join(r.temp, name), []byte(text), 0o755))
}

func (r *runner) read(name string) string {
	data, err := os.ReadFile(filepath.Join(r.temp, name))
	if os.IsNotExist(err) {
		return ""
	}
	require.NoError(r, err)
	return string(data)
}

// command runs something in the checkout.
func (r *runner) command(env map[string]string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(context.Background(), name, args...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(r.temp, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"), "FAKE="+r.temp,
		"GITHUB_REPOSITORY=ada/door", "GITHUB_STEP_SUMMARY="+filepath.Join(r.temp, "summary"), "GITHUB_OUTPUT="+filepath.Join(r.temp, "output"),
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org", "GIT_CONFIG_GLOBAL=/dev/null")
	for k, v := range env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (r *runner) git(args ...string) {
	out, err := r.command(nil, "git", args...)
	require.NoError(r, err, out)
}

func (r *runner) write(name, text string) {
	file := filepath.Join(r.dir, name)
	require.NoError(r, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(r, os.WriteFile(file, []byte(text), 0o644))
}

// run runs the steps until one fails, and returns its name with what it
// printed; "" if none does.
func (r *runner) run(steps []step) (failed, printed string) {
	r.ran = nil
	for _, s := range steps {
		if s.Run == "" || s.If != "" && !r.condition(s.If) {
			continue
		}
		if strings.Contains(s.Run, "interlock tlc") && !r.tlc(s) {
			continue
		}
		env := map[string]string{}
		for k, v := range s.Env {
			env[k] = r.expand(v)
		}
		assert.NotContains(r, s.Run, "${{", "what others write must not become part of a script")
		script := filepath.Join(r.temp, "step.sh")
		require.NoError(r, os.WriteFile(script, []byte(s.Run), 0o644))
		require.NoError(r, os.WriteFile(filepath.Join(r.temp, "output"), nil, 0o644))
		r.ran = append(r.ran, s.Name)
		out, err := r.command(env, "bash", "-e", script)
		if err != nil {
			return s.Name, out
		}
		for line := range strings.Lines(r.read("output")) {
			k, v, _ := strings.Cut(strings.TrimSpace(line), "=")
			r.output[s.ID+"."+k] = v
		}
	}
	return "", ""
}

// tlc reports whether to run TLC: once, where there is one.
func (r *runner) tlc(s step) bool {
	if r.proved {
		return false
	}
	r.proved = true
	_, err := tla.Available(context.Background())
	if err != nil {
		require.NotEqual(r, "true", os.Getenv("CI"), err)
		r.Logf("left out: %s: %v", s.Name, err)
	}
	return err == nil
}

// condition knows the few conditions that the workflow has.
func (r *runner) condition(text string) bool {
	for part := range strings.SplitSeq(text, " && ") {
		holds, known := r.holds[part]
		if part == "steps.diff.outputs.code != '0'" {
			holds, known = r.output["diff.code"] != "0", true
		}
		require.True(r, known, "an unknown condition: %s", part)
		if !holds {
			return false
		}
	}
	return true
}

func (r *runner) expand(text string) string {
	for k, v := range r.values {
		text = strings.ReplaceAll(text, "${{ "+k+" }}", v)
	}
	require.NotContains(r, text, "${{")
	return text
}

const (
	pullRequest = "github.event_name == 'pull_request'"
	fromHere    = "github.event.pull_request.head.repo.full_name == github.repository"
	unlabelled  = "!contains(github.event.pull_request.labels.*.name, 'breaking')"
)

const lamp = `machine: lamp
states: {off: {initial: true}, lit: {}}
answers: {LIT: It is lit.}
events:
  press():
    checks: [{id: again, from: lit, refuse: LIT}]
    rows: {done: {from: off, to: lit}}
models: {small: {}}
`

// TestWorkflow runs the scripts of docs/ci/interlock.yaml in a repository, as
// pull requests come and go.
func TestWorkflow(t *testing.T) {
	steps := workflow(t)
	r := newRunner(t)
	r.values = map[string]string{"github.token": "secret", "github.event.pull_request.number": "5"}
	r.holds = map[string]bool{pullRequest: true, fromHere: true, unlabelled: true}
	r.git("init", "-q", "-b", "main")
	r.write("go.mod", "module example.org/door\n\ngo 1.26\n")
	r.write("spec/lamp.yaml", lamp)
	r.commit("A lamp")

	// Nothing that a caller sees: no comment but in the summary.
	r.propose("rename", strings.ReplaceAll(lamp, "It is lit.", "It is lit already."))
	failed, printed := r.run(steps)
	require.Empty(t, failed, printed)
	assert.Contains(t, r.read("summary"), "only wording or order changed")
	assert.Contains(t, r.read("comment"), "## lamp: only wording or order changed")
	assert.Contains(t, r.read("asked"), "-X POST repos/ada/door/issues/5/comments -F body=@comment.md")

	// Breaking: the comment is replaced, and the run fails until somebody puts
	// the label on.
	r.propose("off", strings.ReplaceAll(strings.ReplaceAll(lamp, "    checks: [{id: again, from: lit, refuse: LIT}]\n", ""), "answers: {LIT: It is lit.}\n", ""),
		"rows: {done: {from: off, to: lit}}", "rows: {done: {from: off, to: lit}, off: {from: lit, to: off}}")
	failed, printed = r.run(steps)
	require.Equal(t, `Ask for the label "breaking"`, failed, printed)
	assert.Contains(t, printed, "::error::")
	assert.Contains(t, r.read("comment"), "| `press` | lit | | refuse LIT `press.again` | **→ off** `press.off` |")
	assert.Contains(t, r.read("asked"), "-X PATCH repos/ada/door/issues/comments/77 -F body=@comment.md")
	r.holds[unlabelled] = false
	failed, printed = r.run(steps)
	require.Empty(t, failed, printed)

	// A fork's pull request gets no comment, a push compares nothing.
	r.holds[fromHere] = false
	_, _ = r.run(steps)
	assert.NotContains(t, r.ran, "Comment on the pull request")
	r.holds[pullRequest] = false
	_, _ = r.run(steps)
	assert.NotContains(t, r.ran, "Compare with what it is merged into")

	// What is stale, or isn't a table, ends it early.
	r.write("spec/lamp.yaml", strings.ReplaceAll(lamp, "LIT", "LIGHT"))
	failed, printed = r.run(steps)
	assert.Equal(t, "Generated files are what their tables say", failed)
	assert.Contains(t, printed, "run interlock gen")
	r.write("spec/lamp.yaml", strings.ReplaceAll(lamp, "to: lit", "to: bright"))
	failed, printed = r.run(steps)
	assert.Equal(t, "Every cell is decided, every property explored", failed)
	assert.Contains(t, printed, "there is no state bright")
}

// commit generates and commits everything.
func (r *runner) commit(message string) {
	out, err := r.command(nil, "interlock", "gen")
	require.NoError(r, err, out)
	r.git("add", "-A")
	r.git("commit", "-q", "-m", message)
}

// propose makes a branch with another table, and checks out what merging it
// would give, as GitHub does.
func (r *runner) propose(branch, table string, replace ...string) {
	r.git("checkout", "-q", "-f", "main")
	r.git("checkout", "-q", "-b", branch)
	r.write("spec/lamp.yaml", strings.NewReplacer(replace...).Replace(table))
	r.commit(branch)
	r.git("checkout", "-q", "--detach", "main")
	r.git("merge", "-q", "--no-ff", "-m", "Merge", branch)
}

// TestCIPage holds the page to the files that it shows.
func TestCIPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/ci.md")
	require.NoError(t, err)
	for file, language := range map[string]string{workflowFile: "yaml", hookFile: "sh"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Contains(t, string(page), "```"+language+"\n"+string(text)+"```\n", "docs/ci.md doesn't show %s as it is", filepath.Base(file))
	}
}

// TestCIComment holds the comment that the page shows to what diff prints.
func TestCIComment(t *testing.T) {
	page, err := os.ReadFile("../../docs/ci.md")
	require.NoError(t, err)
	r := newRunner(t)
	r.write("old.yaml", lamp)
	r.write("new.yaml", strings.NewReplacer("answers: {LIT: It is lit.}\n", "", "    checks: [{id: again, from: lit, refuse: LIT}]\n", "",
		"rows: {done: {from: off, to: lit}}", "rows: {done: {from: off, to: lit}, off: {from: lit, to: off}}").Replace(lamp))
	out, err := r.command(nil, "interlock", "diff", "--format", "markdown", "old.yaml", "new.yaml")
	require.Error(t, err)
	out, _, _ = strings.Cut(out, "interlock: ")
	assert.Contains(t, string(page), strings.ReplaceAll(strings.TrimSpace(out), "## lamp", "### lamp"))
}
