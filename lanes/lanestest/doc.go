// Package lanestest is for tests of what others write for package lanes, or on
// top of it: TestStore tests a Store, and Agent is an agent server for front ends
// that own its sessions.
package lanestest
