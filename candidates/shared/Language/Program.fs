// Layer: language. The two programs that candidates run, and the right answer of the first.
namespace Plait.Lab.Language

/// The programs, and their known results.
module Program =

    let private call moduleName functionName arguments =
        ECall(FnId.standard moduleName functionName, arguments)

    let private isDivisibleBy (divisor: int) name =
        EBinary(
            EBinary(EVariable name, FnId.standard "Int" "%", EInt(bigint divisor)),
            FnId.standard "Int" "==",
            EInt 0I
        )

    let private over fifteenth =
        let body =
            EIf(
                isDivisibleBy 15 "i",
                fifteenth,
                EIf(
                    isDivisibleBy 5 "i",
                    EString "buzz",
                    EIf(isDivisibleBy 3 "i", EString "fizz", call "Int" "toString" [ EVariable "i" ])
                )
            )

        ELet(
            "range",
            call "Int" "range" [ EInt 1I; EInt 100I ],
            call "List" "map" [ EVariable "range"; ELambda([ "i" ], body) ]
        )

    /// FizzBuzz from 1 to 100: 1,804 nodes and 603 calls to evaluate, and nothing to wait for.
    let fizzBuzz: Expr = over (EString "fizzbuzz")

    /// The path on the upstream that FizzBoom fetches: it answers after a while with `{"data":""}`.
    let slowPath = "/delay/1"

    /// FizzBuzz, but where "fizzbuzz" would stand it fetches from `upstream` (scheme, host and port): 6 waits, one after
    /// the other.
    let fizzBoom (upstream: string) : Expr =
        over (call "HttpClient" "get" [ EString(upstream.TrimEnd '/' + slowPath) ])

    /// The 100 texts that FizzBuzz evaluates to.
    let expected: string list =
        [
            for i in 1..100 ->
                if i % 15 = 0 then "fizzbuzz"
                elif i % 5 = 0 then "buzz"
                elif i % 3 = 0 then "fizz"
                else string i
        ]

    /// The body of an answer to FizzBuzz, byte for byte.
    let expectedBody: string =
        "[" + String.concat "," [ for text in expected -> $"\"{text}\"" ] + "]"

    /// The effects that a wrapped evaluator starts for FizzBuzz: a node, a call, a library function and a step of a list
    /// one each. With sync-fn the 602 calls of functions that only compute start none.
    let wrappers (syncFn: bool) : int = if syncFn then 3323 - 602 else 3323
