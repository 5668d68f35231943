import { useState } from 'react'
import type { Failure } from '../../../lib/http.ts'
import { useToast } from '../../../ui/toast/atoms.ts'
import { askForResetLink } from '../api.ts'
import { AddressForm } from './address-form.tsx'
import { LinkSent } from './link-sent.tsx'

/** A mail takes a moment; who asks again at once only makes the first link worthless. */
const resendAfterMs = 30_000

type Sent = { readonly to: string; readonly resendFrom: number }

/** By this device's clock. */
const inMs = (waitMs: number): number => Date.now() + waitMs

/** Whoever has no link yet: asks where it is to go, then says where it went. */
export const AskForLink = () => {
  const [address, setAddress] = useState('')
  const [sent, setSent] = useState<Sent>()
  const [busy, setBusy] = useState(false)
  const toast = useToast()

  const send = async (to: string): Promise<Failure | undefined> => {
    // Enter sends a form of one field even while its button is busy.
    if (busy) return undefined
    setAddress(to)
    setBusy(true)
    const answer = await askForResetLink(to)
    setBusy(false)
    if (!answer.success) {
      toast.error(answer.message || 'Failed to send reset email')
      const { retryAfterSeconds } = answer
      if (retryAfterSeconds) setSent((before) => before && { ...before, resendFrom: inMs(retryAfterSeconds * 1000) })
      return answer
    }
    toast.success('Password reset link sent to your email!')
    setSent({ to, resendFrom: inMs(resendAfterMs) })
    return undefined
  }

  if (!sent) return <AddressForm address={address} busy={busy} onSend={send} />
  return (
    <LinkSent
      address={sent.to}
      busy={busy}
      resendFrom={sent.resendFrom}
      onResend={() => void send(sent.to)}
      onOtherAddress={() => setSent(undefined)}
    />
  )
}
