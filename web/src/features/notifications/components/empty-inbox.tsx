import Button from '@mui/material/Button'
import { Link } from 'react-router-dom'
import { EmptyTrayIllustration } from '../../../ui/illustrations.tsx'
import { EmptyState } from '../../../ui/states.tsx'

/** An inbox without notifications, on its page and on the home page. */
export const EmptyInbox = () => (
  <EmptyState
    illustration={<EmptyTrayIllustration />}
    text="No notifications yet."
    detail="New notifications appear here."
    action={
      <Button component={Link} to="/my-program" variant="outlined" color="secondary">
        My Programs
      </Button>
    }
  />
)
