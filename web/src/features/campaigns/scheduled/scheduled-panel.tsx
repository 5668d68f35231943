import Typography from '@mui/material/Typography'
import type { ScheduledSend } from '@portal/contracts/notifications/scheduled-send'
import { useAtomValue } from 'jotai'
import { useEffect, useRef, type ReactNode } from 'react'
import { useSession } from '../../../lib/session.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { EmptyTrayIllustration, UnpluggedIllustration } from '../../../ui/illustrations.tsx'
import { DelayedFadeIn } from '../../../ui/skeletons.tsx'
import { EmptyState, ErrorState } from '../../../ui/states.tsx'
import { languageOf } from '../../../ui/text-language.ts'
import { CampaignEntrySkeleton } from '../components/campaign-entry.tsx'
import { Area, Edge, List } from '../components/list-area.tsx'
import { PanelHead } from '../components/panel-head.tsx'
import { StaleNotice } from '../components/stale-notice.tsx'
import { useSecondsLeft } from '../held/held-send.tsx'
import { type HeldSend, heldSendsAtom } from '../held/held-sends.ts'
import { peopleText } from '../progress.ts'
import { Entry, EntryHead, ScheduledEntry } from './scheduled-entry.tsx'
import { useScheduledAction } from './use-scheduled-action.ts'
import type { Scheduled } from './use-scheduled.ts'

/** A confirmed send in its eight seconds. The form takes it back. */
const HeldEntry = ({ held }: { readonly held: HeldSend }) => {
  const seconds = useSecondsLeft(held.until)
  return (
    <Entry>
      <EntryHead>
        <Typography variant="subtitle1" component="h3" lang={languageOf(held.title)}>
          {held.title}
        </Typography>
        <Typography variant="caption" color="textSecondary">
          {seconds === 0 ? 'due now' : `in ${seconds} s`}
        </Typography>
      </EntryHead>
      <Typography variant="caption" color="textSecondary">
        {`Confirmed by you, to ${peopleText(held.count)}`}
      </Typography>
    </Entry>
  )
}

/** The confirmed sends of this admin. */
export const useOwnHeld = (): readonly HeldSend[] => {
  const owner = useSession()?.user._id
  return useAtomValue(heldSendsAtom).filter((held) => held.owner === owner)
}

/** Focuses the list if the row whose button was pressed has gone. */
const useFocusAfterAction = (isAsked: boolean) => {
  const area = useRef<HTMLDivElement>(null)
  const wasAsked = useRef(false)
  useEffect(() => {
    if (isAsked) wasAsked.current = true
    else if (wasAsked.current && document.activeElement === document.body) {
      wasAsked.current = false
      area.current?.focus({ preventScroll: true })
    }
  })
  return area
}

type ScheduledPanelProps = {
  readonly scheduled: Scheduled
  /** Switches to what was sent. */
  readonly views: ReactNode
  readonly onSent: () => void
}

/** What waits to be sent: confirmed sends, missed ones, and the scheduled ones of all admins, the next one first. */
export const ScheduledPanel = ({ scheduled, views, onSent }: ScheduledPanelProps) => {
  const { state, reload, refresh } = scheduled
  const held = useOwnHeld()
  const { asked, busy, askToSend, askToDiscard, cancel, confirm } = useScheduledAction((isSent) => {
    void refresh()
    if (isSent) onSent()
  })
  const area = useFocusAfterAction(asked !== undefined)
  const title = asked?.send.title ?? ''
  return (
    <section aria-labelledby="scheduled-heading">
      <PanelHead id="scheduled-heading" title="Scheduled" lead={views} />
      <StaleNotice />
      <Edge>
        <Area ref={area} tabIndex={0} role="group" aria-labelledby="scheduled-heading">
          {state.kind === 'loading' && <LoadingEntries />}
          {state.kind === 'failed' && (
            <ErrorState
              illustration={<UnpluggedIllustration />}
              text="The scheduled notifications could not be loaded"
              detail={state.failure.message}
              onRetry={() => void reload()}
            />
          )}
          {state.kind === 'loaded' && (
            <Entries held={held} sends={state.data} onSendNow={askToSend} onDiscard={askToDiscard} />
          )}
        </Area>
      </Edge>
      <ConfirmDialog
        open={asked !== undefined}
        question={asked?.action === 'send' ? `Send “${title}” now?` : `Discard “${title}”?`}
        consequence={
          asked?.action === 'send'
            ? `${asked.send.says} when it was scheduled. It goes to those of now.`
            : 'It is not sent, and its text is lost.'
        }
        confirmText={asked?.action === 'send' ? 'Send' : 'Discard'}
        destructive={asked?.action === 'discard'}
        busy={busy}
        onConfirm={confirm}
        onCancel={cancel}
      />
    </section>
  )
}

type EntriesProps = {
  readonly held: readonly HeldSend[]
  readonly sends: readonly ScheduledSend[]
  readonly onSendNow: (send: ScheduledSend) => void
  readonly onDiscard: (send: ScheduledSend) => void
}

const Entries = ({ held, sends, onSendNow, onDiscard }: EntriesProps) => {
  if (held.length + sends.length === 0)
    return (
      <EmptyState
        illustration={<EmptyTrayIllustration />}
        text="Nothing scheduled"
        detail="With “Send later”, a notification waits here for its time."
      />
    )
  return (
    <List>
      {held.map((one) => (
        <HeldEntry key={one.notificationId} held={one} />
      ))}
      {sends.map((send) => (
        <ScheduledEntry key={send.notificationId} send={send} onSendNow={onSendNow} onDiscard={onDiscard} />
      ))}
    </List>
  )
}

const LoadingEntries = () => (
  <DelayedFadeIn role="status" aria-label="Loading scheduled notifications">
    {['first', 'second'].map((key) => (
      <CampaignEntrySkeleton key={key} />
    ))}
  </DelayedFadeIn>
)
