import { routeError } from '../shared/route.ts'
import { tooMany } from './errors.ts'

/** Refusals of changes of accounts, apart from ./errors.ts: the login page loads that. */

export const ownPasswordRequired = routeError('invalid', 'Please enter your current password.')
export const tooManyPasswordChecks = (wait: string) => tooMany('attempts to enter your password', wait)

export const personNotFound = routeError('not-found', 'There is no such person')
export const nothingToCorrect = routeError('invalid', 'Please enter a university or a mobile number')
export const numberOfAnother = routeError('conflict', 'This mobile number already belongs to another account.')
export const wrongAddress = routeError('invalid', 'This is not the email address of the account')
export const lastAdmin = routeError('conflict', 'There must be at least one admin.')
export const tooManyAdmins = routeError('conflict', 'There can be at most 50 admins.')
export const adminChangedMeanwhile = routeError(
  'conflict',
  'Another admin has just changed this account. Please reload the page.',
)
export const secondFactorOfAdmin = routeError(
  'conflict',
  'Only an operator can reset the two-step verification of an admin, with make admin.',
)
export const ownSessions = routeError('conflict', 'Sign out your own devices in your profile.')
export const tooManyAccountChanges = (wait: string) => tooMany('changes of accounts', wait)
export const tooManyErasures = (wait: string) => tooMany('accounts deleted', wait)
