// How connections are made and kept.
namespace Plait.Load

/// The protocol of a connection.
type HttpProtocol =
    /// HTTP/1.1: one request at a time.
    | Http1
    /// HTTP/2, so many requests at a time on each connection at most: over TLS by ALPN, without TLS with prior knowledge.
    | Http2 of streams: int

/// The files of a certificate and of its key, in PEM.
type CertificateFiles = { Certificate: string; Key: string }

/// The limit of this machine for the connections of one process.
type MachineBound =
    /// So many local ports.
    | LocalPorts of count: int
    /// So many files that a process may have open.
    | Descriptors of count: int

/// How connections are made and kept.
type Connecting =
    {
        Protocol: HttpProtocol
        /// The open model opens connections as they are needed, up to those of the model; false: it opens all of them before
        /// the run. The closed model always does.
        Grows: bool
        /// Why there may not be more than those of the model; None: no more were asked for.
        Bound: MachineBound option
        /// A connection carries one request after the other; false: each request has one of its own.
        KeepsAlive: bool
        /// Bytes that the head of a response may have.
        MaxHead: int
        /// Redirections of one request that are followed.
        Redirects: int
        /// Whether a server's certificate may be one that no trusted authority signed.
        Insecure: bool
        /// The file of certificates, in PEM, that vouch for the server's, besides those of this machine.
        Authorities: string option
        /// The certificate for the server.
        ClientCertificate: CertificateFiles option
        /// HOST:PORT that is connected to, whatever the URL says.
        ConnectTo: string option
        /// The path of the Unix socket that is connected to, whatever the URL says.
        UnixSocket: string option
    }

    /// As it is unless something else is asked for.
    static member Usual: Connecting =
        {
            Protocol = Http1
            Grows = true
            Bound = None
            KeepsAlive = true
            MaxHead = 256 * 1024
            Redirects = 0
            Insecure = false
            Authorities = None
            ClientCertificate = None
            ConnectTo = None
            UnixSocket = None
        }
