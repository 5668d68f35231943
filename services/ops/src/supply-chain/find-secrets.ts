/** Forms that only secrets have. Words such as "password" are left out: they stand in every form and test. */
const secretForms: Readonly<Record<string, RegExp>> = {
  'private key': /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/,
  'private JWK': /"d"\s*:\s*"[\w-]{40,}"/,
  'AWS access key': /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/,
  'Google API key': /\bAIza[\w-]{35}\b/,
  'GitHub token': /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{60,})\b/,
  'GitLab token': /\bglpat-[\w-]{20,}\b/,
  'npm token': /\bnpm_[A-Za-z0-9]{36}\b/,
  'Slack token': /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/,
  'Stripe key': /\b[rs]k_live_[A-Za-z0-9]{20,}/,
  'SendGrid key': /\bSG\.[\w-]{20,}\.[\w-]{40,}/,
  'signed token': /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{40,}/,
  'key of 256 bits': /^\s*[0-9a-f]{64}\s*$|(?:KEY|SECRET|TOKEN)\w*\s*[=:]\s*['"]?[0-9a-f]{32,}/im,
}

/** The kinds of secrets that a text holds. */
export const secretsIn = (text: string): readonly string[] =>
  Object.entries(secretForms).flatMap(([kind, form]) => (form.test(text) ? [kind] : []))
