import { styled } from '@mui/material/styles'
import { countText } from '../../../ui/page-title.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { unreadOf, useInbox } from '../inbox-cache.ts'

/** Positioned absolutely at the corner of the bell, so that nothing moves when it appears, grows or disappears. */
const Bubble = styled('span')(({ theme }) => ({
  position: 'absolute',
  left: 18,
  top: -5,
  minWidth: 18,
  height: 18,
  padding: theme.spacing(0, 1),
  borderRadius: 9,
  boxShadow: `0 0 0 2px ${theme.vars.palette.background.paper}`,
  background: theme.vars.palette.primary.main,
  color: theme.vars.palette.primary.contrastText,
  fontSize: theme.typography.caption.fontSize,
  lineHeight: '18px',
  fontWeight: 700,
  fontVariantNumeric: 'tabular-nums',
  textAlign: 'center',
}))

export const UnreadBadge = () => {
  const unread = useInbox(unreadOf)
  if (unread === 0) return null
  return (
    <>
      <Bubble aria-hidden="true">{countText(unread)}</Bubble>
      <VisuallyHidden>{`${unread} unread`}</VisuallyHidden>
    </>
  )
}
