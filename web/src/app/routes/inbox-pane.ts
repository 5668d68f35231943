import { createContext } from 'react'

/** Whether a notification is shown beside the list. */
export const InboxPaneContext = createContext(false)
