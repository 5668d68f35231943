import { PassThrough } from 'node:stream'
import { newPassword } from '@portal/contracts/shared/rules'
import { expect, it } from 'vitest'
import { askYesOrNo } from './ask-yes-or-no.ts'
import { offerSample, usualLearners } from './offer-sample.ts'

/** Somebody at a terminal, who types what they are asked for. */
const terminal = (isTTY = true) => {
  const input = Object.assign(new PassThrough(), { isTTY })
  const output = Object.assign(new PassThrough(), { isTTY })
  return { input, output, shown: (): string => String(output.read() ?? '') }
}

it('asks, and takes yes for an answer', async () => {
  const { input, output, shown } = terminal()
  input.write('y\n')
  const request = await offerSample({ input, output })
  expect(shown()).toContain('This portal is empty. Fill it with sample programmes, learners and notifications? [y/N] ')
  expect(request).toMatchObject({ learners: usualLearners, withSample: true })
  expect(newPassword.safeParse(request?.password).success).toBe(true)
})

it.each(['n\n', '\n', 'no\n', 'yellow\n', 'maybe y\n'])('takes %j for no', async (typed) => {
  const { input, output } = terminal()
  input.write(typed)
  expect(await offerSample({ input, output })).toBeUndefined()
})

it.each(['Y\n', 'yes\n', ' YES \n', 'y\r\n'])('takes %j for yes', async (typed) => {
  const { input, output } = terminal()
  input.write(typed)
  expect(await offerSample({ input, output })).toBeDefined()
})

it('takes the end of the input for no', async () => {
  const { input, output } = terminal()
  input.end()
  expect(await offerSample({ input, output })).toBeUndefined()
})

it('takes silence for no', async () => {
  const { input, output, shown } = terminal()
  expect(await askYesOrNo({ question: 'Well?', input, output, timeoutMs: 1 })).toBe(false)
  expect(shown()).toMatch(/^Well\? \[y\/N\] \r?\n$/)
})

it('asks nobody where there is no terminal', async () => {
  const { input, output, shown } = terminal(false)
  input.write('y\n')
  expect(await offerSample({ input, output })).toBeUndefined()
  expect(shown()).toBe('')
})
