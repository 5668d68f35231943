import { lineIcon } from './icons.tsx'

/** Icons of pages behind the login; the first screens load ./icons.tsx. */

export const ArrowDownIcon = lineIcon(<path d="M12 5v13.5M6 13l6 6 6-6" />)
export const ArrowUpIcon = lineIcon(<path d="M12 19V5.5M6 11l6-6 6 6" />)
export const DashboardIcon = lineIcon(<path d="M4 20V11M9.3 20V5M14.7 20v-6.5M20 20V8.5" />)
export const InstallIcon = lineIcon(<path d="M12 4v10.5M7.5 10.5 12 15l4.5-4.5M4.5 19.5h15" />)
export const LogOutIcon = lineIcon(
  <path d="M14 4.5H6a1 1 0 0 0-1 1v13a1 1 0 0 0 1 1h8M10.5 12H20M16.5 8.5 20 12l-3.5 3.5" />,
)
export const UniversityIcon = lineIcon(
  <path d="M3.5 9.5 12 4.5l8.5 5zM5.5 9.5V17M10 9.5V17M14 9.5V17M18.5 9.5V17M3.5 20h17" />,
)
