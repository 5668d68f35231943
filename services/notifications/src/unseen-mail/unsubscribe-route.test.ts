import { changePreferences, getPreferences, noEmail, unsubscribe } from '@portal/contracts/notifications/preferences'
import { type Harness, startHarness, unsubscribeTokens } from '@portal/notifications/testing/harness'
import { afterEach, beforeEach, expect, it } from 'vitest'

let harness: Harness
beforeEach(async () => {
  harness = await startHarness()
})
afterEach(() => harness.stop())

const message = 'You get no more emails about notifications'

it('one click of a mail program ends all e-mails and nothing else, and may be repeated', async () => {
  const { ada, ben } = await harness.cast()
  const quietHours = { from: '22:00', to: '07:00', timeZone: 'Asia/Kolkata' }
  await harness.call(changePreferences, {
    as: ada,
    body: { push: { Exam: false }, email: { Exam: false }, quietHours },
  })
  const { preferences: before } = await harness.call(getPreferences, { as: ada })
  for (let click = 0; click < 2; click++) {
    const answer = await harness.context.app.inject({
      method: 'POST',
      url: `/notifications/unsubscribe?token=${unsubscribeTokens.of(ada.userId)}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    })
    expect([answer.statusCode, answer.json()]).toEqual([200, { success: true, message }])
  }
  expect((await harness.call(getPreferences, { as: ada })).preferences).toEqual({ ...before, email: noEmail })
  expect((await harness.call(getPreferences, { as: ben })).preferences.email.General).toBe(true)
})

it('takes the button of the page, and the form of any mail program', async () => {
  const { ada } = await harness.cast()
  const query = { token: unsubscribeTokens.of(ada.userId) }
  expect(await harness.call(unsubscribe, { query })).toEqual({ success: true, message })
  const form = '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
  const { statusCode } = await harness.context.app.inject({
    method: 'POST',
    url: `/notifications/unsubscribe?token=${query.token}`,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    payload: form,
  })
  expect(statusCode).toBe(200)
})

it('says in words what to do with a broken link', async () => {
  const { ada } = await harness.cast()
  const whole = unsubscribeTokens.of(ada.userId)
  const words = 'This link is not complete. Please open it again from the email, or choose your emails in your profile'
  await harness.refusals(unsubscribe, [
    [{}, words],
    [{ query: { token: '' } }, words],
    [{ query: { token: whole.slice(0, -1) } }, words],
    [{ query: { token: 'x'.repeat(201) } }, words],
  ])
  expect((await harness.call(getPreferences, { as: ada })).preferences.email.General).toBe(true)
})
