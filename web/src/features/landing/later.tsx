import { styled } from '@mui/material/styles'
import { createContext, use, useEffect, useRef, useState, type ReactNode } from 'react'
import type { Turns } from './turns.ts'

/** Null where nothing waits for a turn. */
export const TurnsContext = createContext<Turns | null>(null)

/** px, about as high as the part: on a phone, on a tablet, at a desk. */
export type Room = readonly [phone: number, tablet: number, desk: number]

/** The room of a part. */
export const Place = styled('div', { shouldForwardProp: (name) => name !== 'room' })<{ room: Room }>(
  ({ theme, room: [phone, tablet, desk] }) => ({
    minHeight: phone,
    [theme.breakpoints.up('sm')]: { minHeight: tablet },
    [theme.breakpoints.up('md')]: { minHeight: desk },
  }),
)

type LaterProps = {
  readonly room: Room
  /** Whether what it takes to show the part has been loaded. */
  readonly isLoaded: boolean
  readonly children: () => ReactNode
}

/** A part of the page that is out of sight at first: it comes when it is its turn, and until then has its room. */
export const Later = ({ room, isLoaded, children }: LaterProps) => {
  const turns = use(TurnsContext)
  const place = useRef<HTMLDivElement>(null)
  const [hadTurn, setHadTurn] = useState(false)
  const waits = turns !== null && !hadTurn

  useEffect(() => {
    if (!waits || !isLoaded || !place.current) return undefined
    return turns.join(place.current, () => setHadTurn(true))
  }, [turns, waits, isLoaded])

  if (waits) return <Place ref={place} room={room} />
  return isLoaded ? children() : null
}
