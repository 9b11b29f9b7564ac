// Layer: frames. The attributes that keep plumbing out of completion and of stack traces. A file that opened System.ComponentModel
// for the first would take DefaultValue from there as well, in place of F#'s.
namespace Plait.Kernel

type internal EditorBrowsableAttribute = System.ComponentModel.EditorBrowsableAttribute

type internal EditorBrowsableState = System.ComponentModel.EditorBrowsableState

type internal StackTraceHiddenAttribute = System.Diagnostics.StackTraceHiddenAttribute
