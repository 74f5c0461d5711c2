import type { Role } from '@isotherm/contract/endpoints/administration/roles'
import type { User } from '@isotherm/contract/endpoints/administration/users'
import { useQuery } from '@tanstack/react-query'
import { MenuPreview } from '../../../shared/access/menu-preview.tsx'
import { Answer } from '../../../shared/ui/answer.tsx'
import { modulesQuery } from '../user-queries.ts'

interface UserMenuProps {
  readonly user: User
  readonly roles: readonly Role[]
}

/** The menu that a user sees: the modules of all their roles. */
export function UserMenu({ user, roles }: UserMenuProps) {
  const modules = useQuery(modulesQuery)
  const own = roles.filter(({ id }) => user.roles.some((role) => role.id === id))
  const urls = new Set(own.flatMap((role) => role.urls))
  return (
    <Answer query={modules}>
      {({ datalist }) => <MenuPreview modules={datalist.filter(({ url }) => urls.has(url))} />}
    </Answer>
  )
}
