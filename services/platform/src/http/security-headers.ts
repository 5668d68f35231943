export type SecurityHeaders = Readonly<Record<string, string>>

/** A year. Once a browser has seen it, it opens the portal by https alone. */
export const strictTransport = 'max-age=31536000; includeSubDomains'

/**
 * For each answer that is no document: JSON, figures, health, refusals, long polling. Browsers neither guess its type, nor show it in
 * a frame, nor run anything in it.
 */
export const apiSecurityHeaders: SecurityHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
}

/** Of documents, besides their own content security policy. The portal uses none of these features of browsers. */
export const documentSecurityHeaders: SecurityHeaders = {
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), ' +
    'payment=(), publickey-credentials-get=(), screen-wake-lock=(), serial=(), usb=(), xr-spatial-tracking=()',
}

/** With HSTS where the portal's public address is https. */
export const apiSecurityHeadersFor = (publicOrigin: string | undefined): SecurityHeaders =>
  publicOrigin?.startsWith('https:')
    ? { ...apiSecurityHeaders, 'strict-transport-security': strictTransport }
    : apiSecurityHeaders
