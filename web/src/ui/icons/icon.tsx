import type { ReactNode, SVGProps } from 'react'

export type IconProps = Omit<SVGProps<SVGSVGElement>, 'children'> & {
  /** px. */
  readonly size?: number
  /** Heavier strokes mark what is active. */
  readonly weight?: number
}

/** A line icon on a 24 px grid. It is decoration: whatever it stands beside says the same in words. */
export const Icon = ({ size = 24, weight = 1.75, children, ...rest }: IconProps & { children: ReactNode }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={weight}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
    {...rest}
  >
    {children}
  </svg>
)
