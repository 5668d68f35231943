import { routeError } from '../shared/route.ts'
import { limits } from '../shared/rules.ts'
import { scheduleLimits } from './schedule-limits.ts'

export const notificationNotFound = routeError('not-found', 'Notification not found')
export const userNotFound = routeError('not-found', 'User not found')

export const keyUsed = routeError('conflict', 'This Idempotency-Key was used for another notification')
export const recalled = routeError('conflict', 'This notification was withdrawn')
export const takenBack = routeError('conflict', 'This notification was taken back before it was sent')
export const alreadySent = routeError('conflict', 'This notification was already sent')
export const discarded = routeError('conflict', 'This scheduled notification was discarded')
export const changedMeanwhile = routeError(
  'conflict',
  'Another admin has changed this scheduled notification. Please look at it again',
)
export const tooManyScheduled = routeError(
  'conflict',
  `At most ${scheduleLimits.sends} notifications can be scheduled. Please send or discard some of them first`,
)
export const tooSoon = routeError('invalid', 'Please choose a time at least 1 minute from now')
export const tooFarAhead = routeError('invalid', 'Please choose a time within the next 12 months')
export const tooManyNamed = routeError(
  'invalid',
  `A scheduled notification can name at most ${scheduleLimits.namedUsers} people`,
)
export const nothingToResend = routeError('conflict', 'No recipient whose push failed has a device to send to')
export const resentMeanwhile = routeError(
  'conflict',
  'This notification was resent a moment ago. Please check its progress',
)
export const tooManyAttempts = routeError(
  'conflict',
  `A notification can be sent at most ${limits.attemptsPerNotification} times`,
)

export const noneSelected = routeError('invalid', 'Please select at least one user')
export const selectedTwice = routeError('invalid', 'Some users are selected more than once')
export const unknownUsers = routeError('invalid', 'Some selected users do not exist or are deactivated')
export const unknownPrograms = routeError('invalid', 'Program not found')
export const tooManySelected = routeError(
  'invalid',
  `A notification can go to at most ${limits.recipientsPerAudience} users`,
)

export const tooManyMarkedUnread = routeError(
  'conflict',
  `You can keep at most ${limits.markedUnreadPerUser} notifications marked as unread. Please read some of them first`,
)

export const tooManySends = routeError(
  'too-many-requests',
  'This API key has sent 60 notifications in a minute. Please try again in a moment.',
)

/** `wait` is a duration in words, such as '15 minutes'. */
export const tooManyTokens = (wait: string) =>
  routeError('too-many-requests', `Too many push tokens registered. Please try again in ${wait}.`)

export const invalidSubscription = routeError('invalid', 'token is not a usable push subscription')
