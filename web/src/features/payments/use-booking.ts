import type { Enrollment } from '@portal/contracts/catalog/enrollment'
import type { ProgramId } from '@portal/contracts/shared/ids'
import { useRef, useState } from 'react'
import { enroll } from './api.ts'

export type Booking =
  | { readonly kind: 'open' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'recorded'; readonly enrollment: Enrollment }

/** Enrols once, however often it is asked to. To the server a repetition is no second enrolment either. */
export const useBooking = (programId: ProgramId, recorded: Enrollment | null) => {
  const [booking, setBooking] = useState<Booking>(
    recorded ? { kind: 'recorded', enrollment: recorded } : { kind: 'open' },
  )
  const isUnderWay = useRef(false)

  const pay = async () => {
    // State would be too late: two taps come before the first of them is drawn.
    if (isUnderWay.current) return
    isUnderWay.current = true
    setBooking({ kind: 'busy' })
    const answer = await enroll(programId)
    if (answer.success) return setBooking({ kind: 'recorded', enrollment: answer.data.data })
    isUnderWay.current = false
    return setBooking({ kind: 'failed', message: answer.message })
  }

  /** Takes the message of a failure away. */
  const dismiss = () => setBooking({ kind: 'open' })

  return { booking, pay, dismiss }
}
