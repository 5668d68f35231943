import { alreadyInvited, hasAccount, invite, type InvitedRole } from '@portal/contracts/auth/invitations'
import { useEffect, useRef, useState } from 'react'
import { call, type Failure } from '../../../lib/http.ts'
import { type ListedLine, maxListedLines, readInvitees } from './invitees.ts'

/** What became of a line. `canRepeat`: the line stays in the field, to be corrected or sent later. */
export type Fate = { readonly text: string; readonly canRepeat: boolean; readonly link?: string | undefined }
export type LineWithFate = ListedLine & { readonly fate?: Fate | undefined }

const noAddress: Fate = { text: 'Not an address', canRepeat: true }
const noName: Fate = { text: 'No name', canRepeat: true }

const fates: ReadonlyMap<string, Fate> = new Map([
  [hasAccount.message, { text: 'Already has an account', canRepeat: false }],
  [alreadyInvited.message, { text: 'Already invited', canRepeat: false }],
])

const fateOf = ({ errors = {}, message }: Failure): Fate =>
  fates.get(message) ?? { text: Object.values(errors)[0] ?? message, canRepeat: true }

/** Why a line cannot be sent as it is. */
const problemOf = ({ invitee }: ListedLine): Fate | undefined => {
  if (invitee === undefined) return noAddress
  return invitee.fullName === '' ? noName : undefined
}

/** What meets one line will meet all that follow. */
const stops = ({ code, isNetworkError }: Failure): boolean =>
  code === 'too-many-requests' || code === 'unavailable' || isNetworkError === true

const sendLine = async (line: ListedLine, role: InvitedRole): Promise<{ fate: Fate; isStopped: boolean }> => {
  const { invitee } = line
  const problem = problemOf(line)
  if (problem || !invitee) return { fate: problem ?? noAddress, isStopped: false }
  const answer = await call(invite, { body: { ...invitee, role } })
  if (answer.success)
    return { fate: { text: 'Invited', canRepeat: false, link: answer.data.data.link }, isStopped: false }
  return { fate: fateOf(answer), isStopped: stops(answer) }
}

type Errors = { readonly text?: string | undefined; readonly role?: string | undefined }

type ListedInvitationsOptions = { readonly onSent: () => Promise<unknown> }

/** The form that invites the people of a pasted list, one after the other. It shows what became of each line. */
export const useListedInvitations = ({ onSent }: ListedInvitationsOptions) => {
  const [text, setText] = useState('')
  const [lines, setLines] = useState<readonly ListedLine[]>([])
  const [results, setResults] = useState<readonly LineWithFate[]>([])
  const [role, setRole] = useState<InvitedRole | ''>('')
  const [errors, setErrors] = useState<Errors>({})
  const [busy, setBusy] = useState(false)
  const isClosed = useRef(false)

  useEffect(() => {
    isClosed.current = false
    return () => {
      isClosed.current = true
    }
  }, [])
  useEffect(() => {
    let isOld = false
    const read = async () => {
      const found = await readInvitees(text)
      if (!isOld) setLines(found)
    }
    void read()
    return () => {
      isOld = true
    }
  }, [text])

  const sendAll = async (all: readonly ListedLine[], as: InvitedRole) => {
    const before = results
    const done: LineWithFate[] = []
    let stoppedBy: Fate | undefined
    for (const line of all) {
      if (isClosed.current) return
      const outcome = stoppedBy ? { fate: stoppedBy, isStopped: true } : await sendLine(line, as)
      if (outcome.isStopped) stoppedBy = outcome.fate
      done.push({ ...line, fate: outcome.fate })
      setResults([...done, ...before])
    }
    setText(done.flatMap(({ text: row, fate }) => (fate?.canRepeat ? [row] : [])).join('\n'))
    await onSent()
  }

  return {
    text,
    role,
    errors,
    busy,
    /** What would be sent. */
    preview: busy ? [] : lines.map((line): LineWithFate => ({ ...line, fate: problemOf(line) })),
    /** What was sent since the dialog was opened, the last first: links are shown only here. */
    results,
    setText: (typed: string) => {
      setErrors((shown) => ({ ...shown, text: undefined }))
      setText(typed)
    },
    setRole: (chosen: InvitedRole) => {
      setErrors((shown) => ({ ...shown, role: undefined }))
      setRole(chosen)
    },
    submit: async () => {
      const all = await readInvitees(text)
      const found = {
        ...(all.length === 0 && { text: 'Please paste a name and an address in each line' }),
        ...(all.length > maxListedLines && { text: `At most ${maxListedLines} people at once` }),
        ...(role === '' && { role: 'Please choose the role admin or faculty' }),
      }
      setErrors(found)
      if (role === '' || Object.keys(found).length > 0) return
      setBusy(true)
      await sendAll(all, role)
      setBusy(false)
    },
  }
}
export type ListedInvitations = ReturnType<typeof useListedInvitations>
