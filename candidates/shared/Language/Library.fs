// Layer: language. The library of functions as far as it does not depend on the effect: declarations of all functions,
// and the functions that only compute. How a candidate runs `List.map` and `HttpClient.get` is its own affair.
namespace Plait.Lab.Language

/// The declaration of a library function.
type Signature =
    {
        /// Its name.
        Id: FnId
        /// Its parameters in order.
        Parameters: Parameter list
        /// The type of its result.
        Returns: DType
    }

/// A function that only computes: the result, or Error when it does not take these arguments.
type PureFunction = Dval list -> Result<Dval, unit>

/// The declarations, and the functions that only compute.
module Library =

    let private declare moduleName functionName returns parameters =
        {
            Id = FnId.standard moduleName functionName
            Parameters = [ for name, type', doc in parameters -> { Name = name; Type = type'; Doc = doc } ]
            Returns = returns
        }

    let private rangeSignature =
        declare
            "Int"
            "range"
            (TList TInt)
            [
                "lowerBound", TInt, "The first integer of the list"
                "upperBound", TInt, "The last integer of the list"
            ]

    let private range: PureFunction =
        function
        | [ DInt low; DInt high ] -> Ok(DList(List.map DInt [ low..high ]))
        | _ -> Error()

    let private remainderSignature =
        declare "Int" "%" TInt [ "a", TInt, "Numerator"; "b", TInt, "Denominator; 0 gives 0" ]

    let private remainder: PureFunction =
        function
        | [ DInt a; DInt b ] -> Ok(DInt(if b.IsZero then 0I else a % b))
        | _ -> Error()

    let private equalsSignature =
        declare "Int" "==" TBool [ "a", TInt, "One integer"; "b", TInt, "The other integer" ]

    let private equals: PureFunction =
        function
        | [ DInt a; DInt b ] -> Ok(DBool(a = b))
        | _ -> Error()

    let private toStringSignature =
        declare "Int" "toString" TString [ "a", TInt, "The integer to write in decimal digits" ]

    let private toString: PureFunction =
        function
        | [ DInt a ] -> Ok(DString(a.ToString()))
        | _ -> Error()

    /// The functions that only compute.
    let pureFunctions: (Signature * PureFunction) list =
        [
            rangeSignature, range
            remainderSignature, remainder
            equalsSignature, equals
            toStringSignature, toString
        ]

    /// `List.map`: a list, and a function value of one parameter that is applied to one item after the other.
    let listMap: Signature =
        declare
            "List"
            "map"
            (TList(TVariable "b"))
            [
                "list", TList(TVariable "a"), "The list to be operated on"
                "fn", TFunction([ TVariable "a" ], TVariable "b"), "Applied to each item in order"
            ]

    /// `HttpClient.get`: fetches a URL whose answer is JSON, and returns the text at `data` in it.
    let httpGet: Signature =
        declare "HttpClient" "get" TString [ "url", TString, "The URL to fetch" ]

    /// The names of all functions.
    let ids: FnId list =
        [ for signature, _ in pureFunctions -> signature.Id ] @ [ listMap.Id; httpGet.Id ]
