/**
 * A self-signed certificate for the host names of the provider, trusted only by tests. Valid until
 * October 2126. Made by `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -addext
 * "subjectAltName=DNS:fcm.googleapis.com,DNS:oauth2.googleapis.com"`.
 */
export const testCertificate = `-----BEGIN CERTIFICATE-----
MIIB7jCCAZWgAwIBAgIUUy1+QlbVgQUI3LQUJK1j4+1pnPQwCgYIKoZIzj0EAwIw
MDEuMCwGA1UEAwwlQSBwcm92aWRlcidzIHN0YW5kLWluLCBmb3IgdGVzdHMgb25s
eTAgFw0yNjExMjExNjM3MThaGA8yMTI2MTAyODE2MzcxOFowMDEuMCwGA1UEAwwl
QSBwcm92aWRlcidzIHN0YW5kLWluLCBmb3IgdGVzdHMgb25seTBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABDDdyj0z+4kiWm0FuLzB4uH1f2pLAErpHzlpUG2WO2Xj
ZPo7dnY823Y81JJ/S4L0x8dT68mUOrlV2i/1bNPws6+jgYowgYcwHQYDVR0OBBYE
FCpexvBki4kFl762VZVj3riwYNSGMB8GA1UdIwQYMBaAFCpexvBki4kFl762VZVj
3riwYNSGMA8GA1UdEwEB/wQFMAMBAf8wNAYDVR0RBC0wK4ISZmNtLmdvb2dsZWFw
aXMuY29tghVvYXV0aDIuZ29vZ2xlYXBpcy5jb20wCgYIKoZIzj0EAwIDRwAwRAIg
HcSTdryNpvjKV/NYXaF8JWWr7U+tvLtnPurzkBxsTIYCIH2iagHXaZC7oGAHIZDt
WWpA+B4voCfryGTcqZLDwS6D
-----END CERTIFICATE-----
`

/** Used in tests only. */
export const testCertificateKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgyTvcb3LyY5TvKixL
iGxn4NmWi3xmyjlk/LeahX/G5zmhRANCAAQw3co9M/uJIlptBbi8weLh9X9qSwBK
6R85aVBtljtl42T6O3Z2PNt2PNSSf0uC9MfHU+vJlDq5Vdov9WzT8LOv
-----END PRIVATE KEY-----
`
