import { initiateRegistration, verifyRegistration } from '@portal/contracts/auth/http'
import { callRoute, logIn, type SignedIn } from './api-client.ts'
import { readOutbox } from './read-outbox.ts'

export const registeredPassword = 'Correct-horse1'

type Portal = { readonly address: string; readonly dataDir: string }

/** As a person does: with the code from the outbox. */
export const registerLearner = async ({ address, dataDir }: Portal, number: number): Promise<SignedIn> => {
  const email = `learner-${number}@example.com`
  const mobileNumber = String(9_000_000_000 + number)
  const details = {
    fullName: `Learner ${number}`,
    personalEmail: email,
    mobileNumber,
    universityName: 'Eastbrook University',
  }
  await callRoute(address, initiateRegistration, { body: { ...details, password: registeredPassword } })
  const code = (await readOutbox(dataDir)).find(({ to }) => to === email)?.code
  if (code === undefined) throw new Error(`no code was sent to ${email}`)
  await callRoute(address, verifyRegistration, { body: { email, mobileNumber, otpEmail: code } })
  return logIn(address, email, registeredPassword)
}
