import { UsersPage } from './users-page.tsx'

/** Users of the companies. */
export default function UsersysPage() {
  return <UsersPage view="usersys" />
}
