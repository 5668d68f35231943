import { type RouteError, routeError } from '../shared/route.ts'

/** One error for an unknown address and a wrong password. */
export const invalidCredentials = routeError('unauthenticated', 'Invalid credentials')

/** Returned only for the right password. */
export const deactivated = routeError(
  'unauthenticated',
  'This account has been deactivated. Please contact the center.',
)

/** Returned only for the right password. */
export const firstPasswordExpired = routeError(
  'unauthenticated',
  'The first password has expired. Run make admin where the portal runs: it prints a link that sets a new one.',
)

/** Returned only for the right password. Clients that know the second step show its form instead. */
export const secondStepRequired = routeError(
  'unauthenticated',
  'Your login needs a second step. Please reload this page.',
)

/** A limit on a number of calls. `wait` is a duration in words, such as '15 minutes'. */
export const tooMany = (what: string, wait: string): RouteError =>
  routeError('too-many-requests', `Too many ${what}. Please try again in ${wait}.`)

export const tooManyFailedLogins = (wait: string) => tooMany('failed logins', wait)
export const tooManyLogins = (wait: string) => tooMany('logins', wait)
export const tooManyCodes = (wait: string) => tooMany('OTPs requested', wait)
export const tooManyChecks = (wait: string) => tooMany('wrong attempts', wait)
export const tooManyRegistrations = (wait: string) => tooMany('registrations from here', wait)
export const tooManyResets = (wait: string) => tooMany('attempts to reset a password', wait)
export const tooManyLinks = (wait: string) => tooMany('reset links requested', wait)
export const tooManyPasswordChanges = (wait: string) => tooMany('attempts to change the password', wait)
export const sentTooRecently = (wait: string) =>
  routeError('too-many-requests', `Please wait ${wait} before requesting another OTP.`)
export const tooManyWrongCodes = routeError('too-many-requests', 'Too many wrong attempts. Please request a new OTP.')
export const tooManyProfileChanges = routeError(
  'too-many-requests',
  'You have changed your profile very often. Please try again later.',
)

export const busy = routeError('unavailable', 'The portal is very busy right now. Please try again in a moment.')

export const alreadyRegistered = routeError('conflict', 'An account with this email already exists. Please log in.')
export const numberInUse = routeError(
  'conflict',
  'This mobile number already belongs to another account. Please use the OTP sent to your email.',
)
export const registrationNotFound = routeError('not-found', 'Registration not found. Please start again.')
export const notListed = routeError('invalid', 'Please choose a university from the list')
export const startedElsewhere = routeError(
  'invalid',
  'This registration was started again elsewhere. Please go back and request new OTPs.',
)
export const codeExpired = routeError('invalid', 'OTP has expired. Please request a new OTP.')
/** One error for a wrong code and an unknown registration. */
export const wrongCode = routeError('invalid', 'OTP verification failed. Please try again.')
export const sendFailed = routeError('unavailable', 'Failed to send OTPs. Please try again.')
export const resendFailed = routeError('unavailable', 'Failed to resend OTP. Please try again.')

/** One error for unknown, used, expired and outdated tokens: in each case the caller needs a new link. */
export const linkNotValid = routeError(
  'invalid',
  'This link has expired or was already used. Please request a new one.',
)
/** Of an invited admin, while the portal has as many as it can have. The link stays valid. */
export const noRoomForAdmin = routeError(
  'conflict',
  'The portal has as many admins as it can have. Please contact the center.',
)
export const linkNotSent = routeError('unavailable', 'Failed to send reset email')
export const wrongPassword = routeError('invalid', 'Your current password is incorrect')
