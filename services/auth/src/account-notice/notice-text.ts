import type { AuthEvent } from '@portal/contracts/auth/events'
import type { Role } from '@portal/contracts/auth/user'

/** What the owner of an account learns by mail. */
export type AccountNotice =
  | { readonly kind: 'new-device'; readonly device: string }
  | { readonly kind: 'password-changed' }
  | { readonly kind: 'password-reset' }
  | { readonly kind: 'role-changed'; readonly role: Role }

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
    default:
      return undefined
  }
}

const roleNames: Readonly<Record<Role, string>> = {
  admin: 'an admin',
  faculty: 'a member of the faculty',
  student: 'a student',
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
  }
}

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
  ].join('\n\n'),
})
