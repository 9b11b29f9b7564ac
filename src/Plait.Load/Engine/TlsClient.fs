// What this side says and believes when TLS is agreed on: protocols, whom it trusts, and its own certificate. Files are read
// once; what is wrong with one is said before a run.
namespace Plait.Load

open System
open System.Net.Security
open System.Security.Cryptography
open System.Security.Cryptography.X509Certificates

open Plait.Report

/// TLS as it is asked for. Raises BadInput when a file of certificates cannot be used.
[<Sealed>]
type internal TlsClient(connecting: Connecting) =
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
                    $"{what}: {file} has no certificate in PEM (-----BEGIN CERTIFICATE-----); convert it, as by 'openssl x509 -inform der -in FILE'"
            )

        found

    let authorities =
        match connecting.Authorities with
        | None -> null
        | Some file -> readPem "--cacert" file

    let own =
        match connecting.Shown with
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
                            "is encrypted; take the password off, as by 'openssl pkey -in FILE -out NEW'"
                        else
                            "is not that of the first certificate of --cert; name the key in PEM that belongs to it"

                    raise (BadInput $"--key: the key in {keyFile} {why}")

            chain.RemoveAt 0
            SslStreamCertificateContext.Create(certificate, chain, offline = true)

    let isVouchedFor (certificate: X509Certificate | null) (presented: X509Chain | null) : bool =
        match certificate, authorities with
        | :? X509Certificate2 as certificate, authorities when not (isNull authorities) ->
            use chain = new X509Chain()
            chain.ChainPolicy.TrustMode <- X509ChainTrustMode.CustomRootTrust
            chain.ChainPolicy.CustomTrustStore.AddRange(nonNull authorities)
            chain.ChainPolicy.RevocationMode <- X509RevocationMode.NoCheck

            match presented with
            | null -> ()
            | presented ->
                for element in presented.ChainElements do
                    chain.ChainPolicy.ExtraStore.Add element.Certificate |> ignore

            chain.Build certificate
        | _ -> false

    let believes =
        RemoteCertificateValidationCallback(fun _ certificate presented errors ->
            connecting.Insecure
            || errors = SslPolicyErrors.None
            || (errors = SslPolicyErrors.RemoteCertificateChainErrors
                && isVouchedFor certificate presented))

    let protocol =
        match connecting.Protocol with
        | Http1 -> SslApplicationProtocol.Http11
        | Http2 _ -> SslApplicationProtocol.Http2

    let isHttp2 = protocol = SslApplicationProtocol.Http2

    let noHttp2 =
        "the server does not speak HTTP/2 over TLS: by ALPN it did not agree to h2; leave out --http2, or ask where it is served"

    /// For a connection to a host. `host`: the name that its certificate must be for.
    member _.Options(host: string) : SslClientAuthenticationOptions =
        SslClientAuthenticationOptions(
            TargetHost = host,
            CertificateRevocationCheckMode = X509RevocationMode.NoCheck,
            ApplicationProtocols = ResizeArray [ protocol ],
            ClientCertificateContext = own,
            RemoteCertificateValidationCallback =
                (if connecting.Insecure || not (isNull authorities) then believes else null)
        )

    /// Whether the protocol that was agreed on by ALPN will do.
    member _.Agreed(agreed: SslApplicationProtocol) : Result<unit, string> =
        if isHttp2 && agreed <> protocol then Error noHttp2 else Ok()

    /// Why nothing was agreed on.
    member _.Disagreed(sentence: string) : string =
        if
            isHttp2
            && sentence.Contains("no application protocol", StringComparison.OrdinalIgnoreCase)
        then
            noHttp2
        else
            sentence
