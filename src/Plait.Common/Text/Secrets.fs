// Secrets in a command, which results do not repeat because they are shown to others.
module Plait.Common.Secrets

open System.Text.RegularExpressions

let private instead = "***"

let private password =
    Regex(@"(\w://[^/?#@:\s]*:)[^/?#@\s]*@", RegexOptions.CultureInvariant)

let private header =
    Regex(
        @"^((?:--header[=:]|-H[=:]?)?[\w-]*(?:auth|cookie|key|token|secret)[\w-]*\s*:\s*)\S.*$",
        RegexOptions.CultureInvariant ||| RegexOptions.IgnoreCase ||| RegexOptions.Singleline
    )

/// The text, with *** for the password of each URL in it.
let withoutPasswords (text: string) : string =
    password.Replace(text, $"${{1}}{instead}@")

/// An argument of a command, with *** for the password of a URL, and for the value of a header whose name marks it as a
/// secret of its sender, such as "Authorization: ...", "Cookie: ..." and "X-Api-Key: ...".
let withoutSecrets (argument: string) : string =
    header.Replace(withoutPasswords argument, $"${{1}}{instead}")
