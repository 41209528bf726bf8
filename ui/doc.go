// Package ui is one attached client's screen: which panes it shows, what is
// around them, and what keys mean. It exists apart from the server so that a
// screen can be drawn and tested from values alone: it opens nothing, waits
// for nothing and keeps no clock; what it wants done it asks of its Host.
package ui
