/**
 * A self-signed certificate for push.test and this machine, trusted only by tests. Made by `openssl req -x509 -newkey ec -pkeyopt
 * ec_paramgen_curve:prime256v1 -nodes -days 36500 -addext "subjectAltName=DNS:push.test,DNS:localhost,IP:127.0.0.1"`.
 */
export const pushServiceCertificate = `-----BEGIN CERTIFICATE-----
MIIBzzCCAXagAwIBAgIUdWtGv/SCvQJYu95bvO3x0KGbNf4wCgYIKoZIzj0EAwIw
KTEnMCUGA1UEAwweQSBwdXNoIHNlcnZpY2UsIGZvciB0ZXN0cyBvbmx5MCAXDTI2
MTEyOTIwMTcxM1oYDzIxMjYxMTA1MjAxNzEzWjApMScwJQYDVQQDDB5BIHB1c2gg
c2VydmljZSwgZm9yIHRlc3RzIG9ubHkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
AASi+q7hJ1FVLZKO/QtWMCIhrMSKYYsvCp2SD2YIZq4pwxNDuFns7UxpcyxYaCmT
FXgIZwz4OGYXXOMhW0OFu301o3oweDAdBgNVHQ4EFgQUrRvdRifujchONRjBsgBP
0CZSEYIwHwYDVR0jBBgwFoAUrRvdRifujchONRjBsgBP0CZSEYIwDwYDVR0TAQH/
BAUwAwEB/zAlBgNVHREEHjAcgglwdXNoLnRlc3SCCWxvY2FsaG9zdIcEfwAAATAK
BggqhkjOPQQDAgNHADBEAiA84DfADbYA3dQGasGaDxQMKtuw4xYHWiHK8SsQKFdO
iQIgMVVraY6Zw/gGDcES7tumZA2ST/Qav59q3mF++tc220g=
-----END CERTIFICATE-----
`

/** Used in tests only. */
export const pushServiceCertificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgZ6M6+QCMZKSN/2Ux
5uIuIk5UBhLuIvILnl/x2tNmCLihRANCAASi+q7hJ1FVLZKO/QtWMCIhrMSKYYsv
Cp2SD2YIZq4pwxNDuFns7UxpcyxYaCmTFXgIZwz4OGYXXOMhW0OFu301
-----END PRIVATE KEY-----
`
