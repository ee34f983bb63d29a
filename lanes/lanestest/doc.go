// Package lanestest tests what others write for package lanes: today, a Store.
package lanestest
