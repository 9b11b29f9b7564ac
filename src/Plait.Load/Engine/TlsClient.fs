// The client's side of a TLS handshake: protocols, trusted authorities, and its own certificate. Files are read once;
// an error in one is raised before a run.
namespace Plait.Load

open System
open System.IO
open System.Net.Security
open System.Net.Sockets
open System.Security.Authentication
open System.Security.Cryptography
open System.Security.Cryptography.X509Certificates
open System.Text.RegularExpressions

open Plait.Common

/// Errors of TLS, in sentences.
module internal TlsErrors =
    let private names (certificate: X509Certificate2) : string =
        let named =
            [
                for extension in certificate.Extensions do
                    match extension with
                    | :? X509SubjectAlternativeNameExtension as names ->
                        yield! names.EnumerateDnsNames()
                        yield! names.EnumerateIPAddresses() |> Seq.map string
                    | _ -> ()
            ]

        match named with
        | [] -> certificate.GetNameInfo(X509NameType.DnsName, false)
        | some -> String.concat ", " some

    let private day (time: DateTime) =
        time.ToString("yyyy-MM-dd", Globalization.CultureInfo.InvariantCulture)

    let private remedy =
        "; --cacert FILE names a further authority, --insecure accepts any certificate"

    /// The reason why a certificate is not trusted.
    let ofCertificate
        (host: string)
        (certificate: X509Certificate | null)
        (presented: X509Chain | null)
        (errors: SslPolicyErrors)
        : string =
        match certificate with
        | :? X509Certificate2 as certificate ->
            let wrong =
                match presented with
                | null -> X509ChainStatusFlags.NoError
                | chain ->
                    (X509ChainStatusFlags.NoError, chain.ChainStatus)
                    ||> Array.fold (fun all status -> all ||| status.Status)

            // Of the chain from the server's certificate to that of an authority.
            let late =
                match presented with
                | null -> None
                | chain ->
                    chain.ChainElements
                    |> Seq.tryFind (fun element ->
                        element.ChainElementStatus
                        |> Array.exists _.Status.HasFlag(X509ChainStatusFlags.NotTimeValid))
                    |> Option.map _.Certificate

            if errors.HasFlag SslPolicyErrors.RemoteCertificateNameMismatch then
                $"the server's certificate is for {names certificate}, not for {host}; write that name in the URL, or accept any certificate with --insecure"
            elif late.IsSome then
                let late = late.Value

                let which =
                    if late.RawDataMemory.Span.SequenceEqual certificate.RawDataMemory.Span then
                        "the server's certificate"
                    else
                        $"the certificate of {late.Subject}, with which the server's is signed,"

                let when' =
                    if late.NotBefore > DateTime.Now then
                        $"is valid only from {day late.NotBefore} on"
                    else
                        $"expired on {day late.NotAfter}"

                $"{which} {when'}; --insecure accepts any certificate"
            elif
                wrong.HasFlag X509ChainStatusFlags.UntrustedRoot
                || wrong.HasFlag X509ChainStatusFlags.PartialChain
            then
                $"the server's certificate, of {certificate.Subject}, is not signed by an authority that this machine trusts{remedy}"
            else
                $"the server's certificate, of {certificate.Subject}, is not right ({wrong}){remedy}"
        | _ -> "the server has no certificate"

    let private routine =
        Regex(
            @"SSL routines:[^:]*:(?:ssl/tls |tlsv1[0-9]* |sslv3 )?(?<reason>[^)]+)",
            RegexOptions.CultureInvariant
        )

    /// The reason that OpenSSL gives; None: it gives none.
    let reason (trouble: exn) : string option =
        let found = routine.Match(trouble.GetBaseException().Message)
        if found.Success then Some(found.Groups["reason"].Value.Trim()) else None

    // Reasons that the versions and ciphers of both sides explain.
    let private disagreement =
        Regex(
            @"version|unsupported protocol|handshake failure|cipher|insufficient security",
            RegexOptions.CultureInvariant
        )

    /// The reason is about versions and ciphers.
    let isDisagreement (trouble: exn) : bool =
        reason trouble |> Option.exists (fun reason -> disagreement.IsMatch reason)

    /// The other side ended the connection without an alert.
    let isBareEnd (trouble: exn) : bool =
        match reason trouble, trouble.GetBaseException() with
        | None, (:? SocketException | :? IOException) -> true
        | _ -> false

    /// The error in a sentence.
    let sentence (trouble: exn) : string =
        match reason trouble, trouble.GetBaseException() with
        | Some "alert certificate required", _ ->
            "the server wants a client certificate and got none; --cert FILE names one"
        | Some reason, _ when reason.StartsWith "alert " -> $"the server ended TLS: {reason}"
        | Some reason, _ -> $"TLS could not be agreed on: {reason}"
        // The bytes are no frame of TLS: the inner exception has no more.
        | None, (:? AuthenticationException) ->
            "the server does not answer in TLS; write http:// to load it without TLS"
        | None, (:? SocketException as cause) -> $"{cause.Message} in the middle of TLS"
        | None, (:? IOException) -> "the connection was closed in the middle of TLS"
        | None, cause -> $"TLS failed: {cause.Message}"

    /// The error of a connection whose two sides had agreed.
    let sentenceAfterHandshake (trouble: exn) : string =
        match reason trouble, trouble.GetBaseException() with
        | Some reason, _ when not (reason.StartsWith "alert ") ->
            $"TLS broke off after the handshake: {reason}"
        | None, (:? AuthenticationException) ->
            "TLS broke off after the handshake: the server sent bytes that are no record of TLS"
        | _ -> sentence trouble

/// TLS by the options of a plan. Raises BadInput when a file of certificates cannot be used.
[<Sealed>]
type internal TlsClient(connecting: ConnectionOptions) =
    let readPem (what: string) (file: string) : X509Certificate2Collection =
        let text = Files.text $"the certificates of {what}" file
        let found = X509Certificate2Collection()

        try
            found.ImportFromPem text
        with :? CryptographicException ->
            raise (
                BadInput
                    $"{what}: {file} has a certificate that cannot be read; write it in PEM, between -----BEGIN CERTIFICATE----- and -----END CERTIFICATE-----"
            )

        if found.Count = 0 then
            raise (
                BadInput
                    $"{what}: {file} has no certificate in PEM (-----BEGIN CERTIFICATE-----); convert it, for example by 'openssl x509 -inform der -in FILE'"
            )

        found

    let authorities =
        match connecting.Authorities with
        | None -> null
        | Some file -> readPem "--cacert" file

    let own =
        match connecting.ClientCertificate with
        | None -> null
        | Some { Certificate = file; Key = keyFile } ->
            let chain = readPem "--cert" file
            let key = Files.text "the key of --key" keyFile

            let certificate =
                try
                    use pair = X509Certificate2.CreateFromPem(chain[0].ExportCertificatePem(), key)
                    // Some systems use a key only from a store.
                    X509CertificateLoader.LoadPkcs12(pair.Export X509ContentType.Pfx, null)
                with
                | :? CryptographicException
                | :? ArgumentException ->
                    let why =
                        if key.Contains "ENCRYPTED" then
                            $"the key in {keyFile} is encrypted; take the password off, as by 'openssl pkey -in FILE -out NEW'"
                        elif not (key.Contains "PRIVATE KEY") then
                            $"{keyFile} has no key in PEM (-----BEGIN PRIVATE KEY-----); name the file that has it"
                        else
                            $"the key in {keyFile} does not belong to the first certificate of --cert; name the key in PEM that belongs to it"

                    raise (BadInput $"--key: {why}")

            chain.RemoveAt 0
            SslStreamCertificateContext.Create(certificate, chain, offline = true)

    let isSignedByAuthority (certificate: X509Certificate | null) (presented: X509Chain | null) : bool =
        match certificate, authorities with
        | :? X509Certificate2 as certificate, authorities when not (isNull authorities) ->
            use chain = new X509Chain()
            chain.ChainPolicy.TrustMode <- X509ChainTrustMode.CustomRootTrust
            chain.ChainPolicy.CustomTrustStore.AddRange(nonNull authorities)
            chain.ChainPolicy.RevocationMode <- X509RevocationMode.NoCheck
            // An authority of the file may be signed by another one that the file does not have: the chain ends there.
            chain.ChainPolicy.VerificationFlags <- X509VerificationFlags.AllowUnknownCertificateAuthority
            chain.ChainPolicy.ExtraStore.AddRange(nonNull authorities)

            match presented with
            | null -> ()
            | presented ->
                for element in presented.ChainElements do
                    chain.ChainPolicy.ExtraStore.Add element.Certificate |> ignore

            let isOfFile (element: X509ChainElement) =
                nonNull authorities
                |> Seq.exists (fun one ->
                    one.RawDataMemory.Span.SequenceEqual element.Certificate.RawDataMemory.Span)

            chain.Build certificate && chain.ChainElements |> Seq.exists isOfFile
        | _ -> false

    let isTrusted certificate presented errors =
        connecting.Insecure
        || errors = SslPolicyErrors.None
        || (errors = SslPolicyErrors.RemoteCertificateChainErrors
            && isSignedByAuthority certificate presented)

    let protocol =
        match connecting.Protocol with
        | Http1 -> SslApplicationProtocol.Http11
        | Http2 _ -> SslApplicationProtocol.Http2

    let isHttp2 = protocol = SslApplicationProtocol.Http2

    let noHttp2 =
        "the server has no HTTP/2 over TLS: by ALPN it did not agree to h2; leave out --http2, or use an address with HTTP/2"

    /// The options of a connection to a host. `host`: the name in its certificate; `reject`: gets the reason why the certificate is not
    /// trusted.
    member _.Options(host: string, reject: string -> unit) : SslClientAuthenticationOptions =
        SslClientAuthenticationOptions(
            TargetHost = host,
            CertificateRevocationCheckMode = X509RevocationMode.NoCheck,
            ApplicationProtocols = ResizeArray [ protocol ],
            ClientCertificateContext = own,
            RemoteCertificateValidationCallback =
                fun _ certificate presented errors ->
                    isTrusted certificate presented errors
                    || (reject (TlsErrors.ofCertificate host certificate presented errors)
                        false)
        )

    /// An error if ALPN did not agree on the protocol of the plan.
    member _.Agreed(agreed: SslApplicationProtocol) : Result<unit, string> =
        if isHttp2 && agreed <> protocol then Error noHttp2 else Ok()

    /// The reason of a failed handshake. `offer`, `choice`: the first messages of this side and of the server.
    member _.Disagreed(trouble: exn, (offer: TlsHello option, choice: TlsHello option)) : string =
        match TlsErrors.reason trouble with
        | Some reason when
            isHttp2 && reason.Contains("no application protocol", StringComparison.OrdinalIgnoreCase)
            ->
            noHttp2
        // The server had found a version and a cipher. Up to TLS 1.2 a missing certificate of the client has no alert of its own.
        | Some "alert handshake failure" when choice.IsSome ->
            let certificate =
                if isNull own then
                    "it may want a client certificate, which --cert FILE names"
                else
                    "it may refuse the certificate of --cert"

            $"{TlsErrors.sentence trouble}{TlsHello.words None choice}; {certificate}"
        // A server that shares no version or cipher may close the connection without an alert.
        | _ when TlsErrors.isDisagreement trouble || TlsErrors.isBareEnd trouble ->
            TlsErrors.sentence trouble + TlsHello.words offer choice
        | _ -> TlsErrors.sentence trouble
