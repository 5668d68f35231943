export type SecurityHeaders = Readonly<Record<string, string>>

/** One year. After the first response, browsers use only https. */
export const strictTransport = 'max-age=31536000; includeSubDomains'

/**
 * Headers of each response that is not a document: JSON, metrics, health, errors, long polling. Browsers do not sniff its type, frame it
 * or execute it.
 */
export const apiSecurityHeaders: SecurityHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
}

/** Headers of documents besides their content security policy. Of these browser features the portal uses passkeys only. */
export const documentSecurityHeaders: SecurityHeaders = {
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), ' +
    'payment=(), publickey-credentials-create=(self), publickey-credentials-get=(self), screen-wake-lock=(), serial=(), usb=(), xr-spatial-tracking=()',
}

/** Adds HSTS if the portal's public address is https. */
export const apiSecurityHeadersFor = (publicOrigin: string | undefined): SecurityHeaders =>
  publicOrigin?.startsWith('https:')
    ? { ...apiSecurityHeaders, 'strict-transport-security': strictTransport }
    : apiSecurityHeaders
