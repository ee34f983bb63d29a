package tla

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// TLC's -tool mode wraps each message of its own in marker lines that name the
// message's code and severity. Everything between messages is either the
// parser's talk (before message 2219) or what the model printed.
const (
	startMark = "@!@!@STARTMSG "
	endMark   = "@!@!@ENDMSG "
	tailMark  = " @!@!@"

	// maxLine bounds a line of the log: 64 MB.
	maxLine = 64 << 20
	// maxTalk bounds what is kept of the parser's talk, in bytes.
	maxTalk = 64 << 10
)

// Severities of messages.
const (
	sevError   = 1
	sevBug     = 2
	sevWarning = 3
)

// message is one message of TLC. A message may hold others (an exception whose
// text is a message): their text is part of its text.
type message struct {
	code, severity int
	text           string
	inner          []message
}

// has says whether the message or one inside it has one of the codes.
func (m message) has(codes ...int) bool {
	if slices.Contains(codes, m.code) {
		return true
	}
	return slices.ContainsFunc(m.inner, func(in message) bool { return in.has(codes...) })
}

// splitter takes a log apart, line by line.
type splitter struct {
	onMessage func(message)
	onPrint   func(line []byte) // what the model printed; nil to drop
	open      []message         // a message and those inside it
	texts     [][]byte          // one for each open message
	parsed    bool              // the parser is done
	talk      []byte            // what the parser said
}

// split reads the log to its end.
func (s *splitter) split(r io.Reader) error {
	in := bufio.NewReaderSize(r, 64<<10)
	var long []byte
	for {
		part, err := in.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			if len(long)+len(part) > maxLine {
				return fmt.Errorf("tla: a line of TLC's log is longer than %d bytes", maxLine)
			}
			long = append(long, part...)
			continue
		case len(long) > 0:
			long = append(long, part...)
			part = long
		}
		if len(part) > 0 {
			s.line(bytes.TrimRight(part, "\r\n"))
		}
		long = long[:0]
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (s *splitter) line(line []byte) {
	// What a model prints is a value and starts with none of the marks, so
	// only inside a message is the rest of a line searched.
	at := -1
	if len(s.open) == 0 {
		if bytes.HasPrefix(line, []byte(startMark)) {
			at = 0
		}
	} else {
		at = bytes.Index(line, []byte(startMark))
	}
	if at >= 0 {
		if m, ok := startOf(line[at:]); ok {
			if at > 0 {
				s.text(line[:at])
			}
			s.open = append(s.open, m)
			s.texts = append(s.texts, nil)
			return
		}
	}
	if len(s.open) == 0 {
		s.outside(line)
		return
	}
	if s.ends(line) {
		s.close()
		return
	}
	s.text(line, '\n')
}

// startOf reads "@!@!@STARTMSG code:severity @!@!@".
func startOf(line []byte) (message, bool) {
	body, ok := strings.CutSuffix(strings.TrimPrefix(string(line), startMark), tailMark)
	if !ok {
		return message{}, false
	}
	code, severity, _ := strings.Cut(body, ":")
	c, err1 := strconv.Atoi(code)
	sev, err2 := strconv.Atoi(severity)
	return message{code: c, severity: sev}, err1 == nil && err2 == nil
}

// ends says whether line ends the innermost open message.
func (s *splitter) ends(line []byte) bool {
	body, ok := bytes.CutPrefix(line, []byte(endMark))
	if !ok {
		return false
	}
	body, ok = bytes.CutSuffix(body, []byte(tailMark))
	return ok && string(body) == strconv.Itoa(s.open[len(s.open)-1].code)
}

func (s *splitter) text(part []byte, end ...byte) {
	last := &s.texts[len(s.texts)-1]
	*last = append(append(*last, part...), end...)
}

func (s *splitter) close() {
	last := len(s.open) - 1
	m := s.open[last]
	m.text = strings.TrimRight(string(s.texts[last]), "\n")
	s.open, s.texts = s.open[:last], s.texts[:last]
	if last > 0 {
		outer := &s.open[last-1]
		outer.inner = append(outer.inner, m)
		s.text([]byte(m.text), '\n')
		return
	}
	if m.code == codeSanyEnd {
		s.parsed = true
	}
	s.onMessage(m)
}

func (s *splitter) outside(line []byte) {
	switch {
	case s.parsed:
		if s.onPrint != nil {
			s.onPrint(line)
		}
	case bytes.HasPrefix(line, []byte("Parsing file ")), bytes.HasPrefix(line, []byte("Semantic processing of module ")):
	case len(s.talk) < maxTalk:
		s.talk = append(append(s.talk, line...), '\n')
	}
}
