import { initiateRegistration, verifyRegistration } from '@portal/contracts/auth/http'
import { z } from 'zod'
import { callRoute, logIn, type SignedIn } from './api-client.ts'

export const registeredPassword = 'Correct-horse1'
const outboxSchema = z.array(z.object({ to: z.string(), code: z.string().optional() }))

/** As a person does: with the code from the outbox. */
export const registerLearner = async (address: string, number: number): Promise<SignedIn> => {
  const email = `learner-${number}@example.com`
  const mobileNumber = String(9_000_000_000 + number)
  const details = {
    fullName: `Learner ${number}`,
    personalEmail: email,
    mobileNumber,
    universityName: 'Example University',
  }
  await callRoute(address, initiateRegistration, { body: { ...details, password: registeredPassword } })
  const outbox = outboxSchema.parse(await (await fetch(`${address}/dev/outbox`)).json())
  const code = outbox.find(({ to }) => to === email)?.code
  if (code === undefined) throw new Error(`no code was sent to ${email}`)
  await callRoute(address, verifyRegistration, { body: { email, mobileNumber, otpEmail: code } })
  return logIn(address, email, registeredPassword)
}
