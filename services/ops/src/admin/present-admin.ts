import { moment } from '../output/times.ts'

export type MadeAdmin = {
  readonly email: string
  readonly userId: string
  readonly account: 'existing' | 'new'
  /** One-time address of the 'Set New Password' page. */
  readonly link: string
  /** ISO 8601 */
  readonly expiresAt: string
  /** False where the portal does not run, or has not caught up: it takes effect when it has. */
  readonly isEffective: boolean
}

export const adminText = ({ email, account, link, expiresAt, isEffective }: MadeAdmin): string => {
  const existing = isEffective
    ? 'Its former password no longer works, and its sessions have ended.'
    : 'Its former password and its sessions end as soon as the portal runs and has caught up.'
  return [
    account === 'new' ? `${email} is a new account, and an admin.` : `${email} is an admin.`,
    ...(account === 'existing' ? [existing] : []),
    '',
    'Hand over this link. It opens the page where the password is set:',
    `  ${link}`,
    `It works once, until ${moment(expiresAt)} UTC. Whoever has it can log in as an admin.`,
  ].join('\n')
}
