import type { ReactNode } from 'react'

const Illustration = ({ children }: { children: ReactNode }) => (
  <svg
    width="96"
    height="72"
    viewBox="0 0 96 72"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    {children}
  </svg>
)

/** An open, empty letter tray. */
export const EmptyTrayIllustration = () => (
  <Illustration>
    <path d="M14 38 24 16h48l10 22v20H14z" />
    <path d="M14 38h20l4 8h20l4-8h20" />
    <path d="M34 24h28M31 31h34" strokeDasharray="2 5" />
  </Illustration>
)

/** A plug pulled out of its socket. */
export const UnpluggedIllustration = () => (
  <Illustration>
    <path d="M4 40h16M20 30h10c6 0 10 4.5 10 10s-4 10-10 10H20zM40 35h8M40 45h8" />
    <path d="M92 40H78M78 30H68a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h10zM57 22l-3-5M64 19v-6M57 58l-3 5M64 61v6" />
  </Illustration>
)

/** A closed booklet. */
export const BookletIllustration = () => (
  <Illustration>
    <path d="M26 12h40a4 4 0 0 1 4 4v44H30a4 4 0 0 1-4-4zM26 56a4 4 0 0 1 4-4h40" />
    <path d="M36 24h22M36 31h14" />
  </Illustration>
)

/** A row of columns. */
export const ColumnsIllustration = () => (
  <Illustration>
    <path d="M16 28 48 10l32 18zM24 28v26M40 28v26M56 28v26M72 28v26M16 60h64M20 54h56" />
  </Illustration>
)
