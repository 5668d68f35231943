import type { AuthEvent, SecondFactorRemover } from '@portal/contracts/auth/events'
import type { Role } from '@portal/contracts/auth/user'

/** What the owner of an account learns by mail. */
export type AccountNotice =
  | { readonly kind: 'new-device'; readonly device: string }
  | { readonly kind: 'password-changed' }
  | { readonly kind: 'password-reset' }
  | { readonly kind: 'role-changed'; readonly role: Role }
  | SecondFactorNotice

type SecondFactorNotice =
  | { readonly kind: 'app-set-up' }
  | { readonly kind: 'passkey-added'; readonly device: string }
  | { readonly kind: 'passkey-removed' }
  | { readonly kind: 'recovery-codes-made' }
  | { readonly kind: 'second-factor-removed'; readonly by: SecondFactorRemover }

/** Undefined if the event is no news to the owner. */
export const noticeOf = (event: AuthEvent): AccountNotice | undefined => {
  switch (event.type) {
    case 'SessionStarted':
      return event.data.isNewDevice ? { kind: 'new-device', device: event.data.deviceName ?? 'A browser' } : undefined
    case 'UserPasswordChanged': {
      const reason = event.data.endsSessions?.reason
      return reason === 'password-changed' || reason === 'password-reset' ? { kind: reason } : undefined
    }
    case 'UserRoleChanged':
      return { kind: 'role-changed', role: event.data.role }
    case 'TotpEnrolled':
      return { kind: 'app-set-up' }
    case 'PasskeyAdded':
      return { kind: 'passkey-added', device: event.data.deviceName }
    case 'PasskeyRemoved':
      return { kind: 'passkey-removed' }
    case 'RecoveryCodesIssued':
      return { kind: 'recovery-codes-made' }
    case 'SecondFactorRemoved':
      return { kind: 'second-factor-removed', by: event.data.by }
    default:
      return undefined
  }
}

const roleNames: Readonly<Record<Role, string>> = {
  admin: 'an admin',
  faculty: 'a member of the faculty',
  student: 'a student',
}

const removers: Readonly<Record<SecondFactorRemover, string>> = {
  owner: 'Two-step verification of your account was turned off',
  admin: 'An admin turned off two-step verification of your account',
  operator: 'The operator of the portal turned off two-step verification of your account',
}

/** Mail programs do not tell where the reader lives. */
const utc = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })

const subjectOf = (notice: AccountNotice): string => {
  switch (notice.kind) {
    case 'new-device':
      return 'New login to your account'
    case 'password-changed':
      return 'Your password was changed'
    case 'password-reset':
      return 'Your password was reset'
    case 'role-changed':
      return 'Your role was changed'
    case 'app-set-up':
      return 'An authenticator app was set up for your account'
    case 'passkey-added':
      return 'A passkey was added to your account'
    case 'passkey-removed':
      return 'A passkey was removed from your account'
    case 'recovery-codes-made':
      return 'New recovery codes for your account'
    case 'second-factor-removed':
      return 'Two-step verification was turned off'
  }
}

const whatOf = (notice: AccountNotice, time: string): string => {
  switch (notice.kind) {
    case 'new-device':
      return `Somebody logged in to your account with a device that you had not used for it before: ${notice.device}, on ${time}.`
    case 'password-changed':
      return `The password of your account was changed on ${time}. Your other devices were signed out.`
    case 'password-reset':
      return `The password of your account was reset on ${time}. All devices were signed out.`
    case 'role-changed':
      return `Since ${time}, you are ${roleNames[notice.role]} in the portal. Please log in again.`
    case 'app-set-up':
      return `An authenticator app was set up for your account on ${time}. An earlier one no longer works.`
    case 'passkey-added':
      return `A passkey was added to your account on ${time}, with ${notice.device}.`
    case 'passkey-removed':
      return `A passkey was removed from your account on ${time}.`
    case 'recovery-codes-made':
      return `New recovery codes were made for your account on ${time}. The earlier ones no longer work.`
    case 'second-factor-removed':
      return `${removers[notice.by]} on ${time}. Logging in takes only your password now.`
  }
}

const accountKinds: ReadonlySet<AccountNotice['kind']> = new Set([
  'new-device',
  'password-changed',
  'password-reset',
  'role-changed',
])

/** `at`: ISO 8601. */
export const noticeMailOf = (
  notice: AccountNotice,
  { at, origin }: { readonly at: string; readonly origin: string },
) => ({
  subject: subjectOf(notice),
  text: [
    whatOf(notice, `${utc.format(new Date(at))} UTC`),
    `If this was expected, there is nothing to do. If not, set a new password, which signs out all devices: ${origin}/reset-password`,
    `Where you are signed in: ${origin}/profile/sessions`,
    ...(accountKinds.has(notice.kind) ? [] : [`Your two-step verification: ${origin}/profile/security`]),
  ].join('\n\n'),
})
