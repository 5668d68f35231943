import Button from '@mui/material/Button'
import { styled } from '@mui/material/styles'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { Link } from 'react-router-dom'
import type { Failure } from '../../../../lib/http.ts'
import { ErrorBanner, SuccessBanner } from '../../../../ui/banner.tsx'
import { BusyButton } from '../../../../ui/busy-button.tsx'

/** The message in the footer of the form: a success, or a failure with the server's message if there is one. */
export type Notice =
  | { readonly kind: 'done'; readonly text: string }
  | { readonly kind: 'failed'; readonly text: string; readonly detail?: string; readonly action?: NoticeAction }

/** A button beside the message. */
type NoticeAction = { readonly text: string; readonly run: () => void }

/** Whether the server rejected the request for good reason: a retry would fail again. */
export const isRejection = ({ code }: Failure): boolean =>
  code !== undefined && code !== 'internal' && code !== 'unavailable' && code !== 'too-many-requests'

/**
 * 'Failed to save program' with the server's reason. Without one, it asks for another attempt:
 * 'Failed to add tool. Please try again.', 'Failed to remove tool. Please try again.', 'Failed to save program. Please try again.'.
 */
export const failureNotice = (failure: Failure, what: string): Notice =>
  isRejection(failure)
    ? { kind: 'failed', text: what, detail: failure.message }
    : { kind: 'failed', text: `${what}. Please try again.` }

export const saveFailed = 'Failed to save program'

/**
 * For a save that the server rejects because its revision is outdated. The action loads the current revision and keeps what was
 * typed.
 */
export const saveNotice = (failure: Failure, load: () => void): Notice =>
  failure.errors?.['revision'] === undefined
    ? failureNotice(failure, saveFailed)
    : {
        kind: 'failed',
        text: saveFailed,
        detail: 'Someone else changed this program. Reload to see their version; your text is kept.',
        action: { text: 'Reload', run: load },
      }

/** How long a success is shown; a failure stays until it is closed or the next attempt. */
const successBannerMs = 3000

export const useNotice = () => {
  const [notice, setNotice] = useState<Notice | null>(null)
  useEffect(() => {
    if (notice?.kind !== 'done') return undefined
    const timer = setTimeout(() => setNotice(null), successBannerMs)
    return () => clearTimeout(timer)
  }, [notice])
  return { notice, show: setNotice }
}

/** px. The message below a field: a line or two. */
const messagePx = 52

/** The space that the page keeps free below the focused element. */
const footerSpace = '--footer-space'

/** Scrolls focused fields into view above the footer, together with their messages, whatever the height of the footer. */
const useSpaceForFooter = (footer: RefObject<HTMLElement | null>): void => {
  useEffect(() => {
    const element = footer.current
    if (element === null) return undefined
    const { style } = document.documentElement
    style.scrollPaddingBottom = `calc(var(${footerSpace}) + var(--bar-below, 0px))`
    const observer = new ResizeObserver(() => style.setProperty(footerSpace, `${element.offsetHeight + messagePx}px`))
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.scrollPaddingBottom = ''
      style.removeProperty(footerSpace)
    }
  }, [footer])
}

/**
 * Sticks to the bottom of the window with its messages. They take space of their own, so that they cover nothing permanently.
 */
const Footer = styled('div')(({ theme }) => ({
  position: 'sticky',
  // Above the bottom bar of the admin panel on a phone.
  bottom: 'var(--bar-below, 0px)',
  zIndex: 1,
  display: 'flex',
  flexWrap: 'wrap',
  gap: theme.spacing(0, 2),
  marginTop: theme.spacing(8),
  paddingTop: theme.spacing(3),
  paddingBottom: `calc(env(safe-area-inset-bottom) + ${theme.spacing(4)})`,
  borderTop: `1px solid ${theme.vars.palette.divider}`,
  backgroundColor: theme.vars.palette.background.default,
  // Always in view: the page must not scroll to lift these above the space that it keeps free for the footer.
  '& :is(a, button)': { scrollMarginBlock: `var(${footerSpace}, 0px) calc(-1 * var(${footerSpace}, 0px))` },
  [theme.portal.shortWindow]: { position: 'static' },
  [theme.breakpoints.down('sm')]: { '& > .MuiButton-contained': { flex: 1 } },
}))

const Messages = styled('div')({ flex: '1 0 100%' })

const Reason = styled('span')(({ theme }) => ({ ...theme.typography.body2, display: 'block' }))

type FormFooterProps = {
  readonly formId: string
  readonly submitText: string
  readonly busyText: string
  readonly busy: boolean
  readonly notice: Notice | null
  readonly onClose: () => void
}

export const FormFooter = ({ formId, submitText, busyText, busy, notice, onClose }: FormFooterProps) => {
  const footer = useRef<HTMLDivElement>(null)
  useSpaceForFooter(footer)
  return (
    <Footer ref={footer}>
      <Messages>
        {notice?.kind === 'done' && <SuccessBanner>{notice.text}</SuccessBanner>}
        {notice?.kind === 'failed' && (
          <ErrorBanner onClose={onClose}>
            <span>{notice.text}</span>
            {notice.detail !== undefined && <Reason>{notice.detail}</Reason>}
            {notice.action !== undefined && (
              <Button variant="text" color="inherit" size="small" onClick={notice.action.run} sx={{ marginLeft: -2 }}>
                <span>{notice.action.text}</span>
              </Button>
            )}
          </ErrorBanner>
        )}
      </Messages>
      <BusyButton type="submit" form={formId} size="large" busy={busy} busyText={busyText}>
        {submitText}
      </BusyButton>
      <Button component={Link} to="/admin/programs" size="large" variant="text" color="secondary">
        Cancel
      </Button>
    </Footer>
  )
}
