import { Icon, type IconProps } from './icon.tsx'

export const HomeIcon = (props: IconProps) => (
  <Icon {...props}>
    <path d="M4 10.8 12 4l8 6.8V19a1 1 0 0 1-1 1h-4.5v-5.5h-5V20H5a1 1 0 0 1-1-1z" />
  </Icon>
)
