import { styled } from '@mui/material/styles'
import type { InboxItem } from '@portal/contracts/notifications/notification'
import { useEffect } from 'react'
import { useAtom } from '../../../lib/jotai.ts'
import { freshAtom } from '../atoms.ts'
import { NotificationRow } from './notification-row.tsx'

/** Runs to the edges of the learner's column. */
const List = styled('ul')(({ theme }) => ({
  margin: theme.spacing(0, -5),
  padding: 0,
  listStyle: 'none',
  borderTop: `1px solid ${theme.vars.palette.divider}`,
}))

type NotificationListProps = { readonly items: readonly InboxItem[]; readonly onOpen: (item: InboxItem) => void }

export const NotificationList = ({ items, onOpen }: NotificationListProps) => {
  const [fresh, setFresh] = useAtom(freshAtom)
  // What was new here is not new when the reader comes back.
  useEffect(() => () => setFresh(new Set()), [setFresh])
  return (
    <List>
      {items.map((item) => (
        <NotificationRow key={item._id} item={item} fresh={fresh.has(item._id)} onOpen={onOpen} />
      ))}
    </List>
  )
}
