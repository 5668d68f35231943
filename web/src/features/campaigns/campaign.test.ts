import { portalSender, portalSenderName } from '@portal/contracts/notifications/portal-sender'
import { expect, it } from 'vitest'
import { sentByText } from './campaign.ts'

it('names the sender of a notification as in a sentence', () => {
  expect(sentByText({ userId: portalSender, fullName: 'Asha Rao' })).toBe('Sent by Asha Rao')
  expect(sentByText({ userId: portalSender, fullName: portalSenderName })).toBe('Sent by the portal')
  expect(sentByText({ userId: portalSender, fullName: '' })).toBe('Sent by Deleted account')
  expect(sentByText(undefined)).toBeUndefined()
})
