import { testNotification } from '@portal/contracts/notifications/http'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { call } from '../../lib/http.ts'
import { useToast } from '../../ui/toast/atoms.ts'
import { textFields, type SentText } from './draft.ts'

const subject = 'test-send'

const reachedText = (names: readonly string[]): string =>
  names.length === 1 ? `On its way to ${names[0]}.` : `On its way to ${names.length} devices: ${names.join(', ')}.`

type Form = {
  readonly showErrors: (errors: Readonly<Record<string, string>> | undefined) => void
}

/** Pushes the notification to the signed-in admin's own devices. It is in no inbox and no history, so nothing is lost by a repetition. */
export const useTestSend = ({ showErrors }: Form) => {
  const toast = useToast()
  const navigate = useNavigate()
  const [isSending, setSending] = useState(false)

  const offerDevices = () =>
    toast.info('No device of yours gets notifications', {
      subject,
      durationMs: 8000,
      action: { label: 'Turn on', onPress: () => void navigate('/admin/profile/notifications') },
    })

  const sendTest = async (text: SentText) => {
    if (isSending) return
    setSending(true)
    const answer = await call(testNotification, { body: text })
    setSending(false)
    if (!answer.success) {
      showErrors(answer.errors)
      if (textFields.some((name) => answer.errors?.[name] !== undefined)) toast.dismiss(subject)
      else toast.error(answer.message || 'Failed to send the test', { subject })
      return
    }
    const { devices } = answer.data
    const reached = devices.filter(({ outcome }) => outcome === 'accepted').map(({ name }) => name)
    if (devices.length === 0) offerDevices()
    else if (reached.length > 0) toast.success('Test sent to you', { subject, detail: reachedText(reached) })
    else toast.error('The push service did not accept the test. Please try again later', { subject })
  }

  return { isSending, sendTest }
}
