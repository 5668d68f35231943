import { getCampaign, sendNotification } from '@portal/contracts/notifications/http'
import { getPreferences, noEmail, unsubscribe } from '@portal/contracts/notifications/preferences'
import { startHarness } from '@portal/notifications/testing/harness'
import type { Person } from '@portal/notifications/testing/people'
import type { Mail } from '@portal/platform/outbound/port'
import { until } from '@portal/platform/testing/until'
import { expect, it, onTestFinished } from 'vitest'

it('a portal with a mail server sends one e-mail, which a restart does not repeat, and whose link ends them', async () => {
  const harness = await startHarness({ timings: { graceMs: 0 } })
  onTestFinished(() => harness.stop())
  const { admin, ada, ben } = await harness.cast()
  const send = async ({ userId }: Person, title: string) => {
    const body = { userIds: [userId], title, message: 'The text', type: 'Exam' as const }
    const { notificationId } = await harness.call(sendNotification, { as: admin, body })
    const detail = () => harness.call(getCampaign, { as: admin, params: { id: notificationId } })
    await until(async () => expect((await detail()).campaign.progress.skipped).toBe(1))
    return detail
  }
  const sent: Mail[] = []
  const mail = { send: async (message: Mail) => void sent.push(message) }
  const timings = { graceMs: 0, emailUnseenAfterMs: 0 }

  const toAda = await send(ada, 'For Ada')
  await harness.restart({ mail, timings })
  await until(() => expect(sent.map(({ subject }) => subject)).toEqual(['For Ada']))
  await until(async () => expect((await toAda()).campaign.progress.emailed).toBe(1))

  const { searchParams } = new URL(sent[0]?.unsubscribeUrl ?? '')
  await harness.call(unsubscribe, { query: { token: searchParams.get('token') ?? '' } })
  expect((await harness.call(getPreferences, { as: ada })).preferences.email).toEqual(noEmail)

  await send(ben, 'For Ben')
  await harness.restart({ mail, timings })
  await until(() => expect(sent.map(({ subject }) => subject)).toEqual(['For Ada', 'For Ben']))
})
