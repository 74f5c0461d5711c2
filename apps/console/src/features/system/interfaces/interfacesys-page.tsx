import { useSearchParams } from 'react-router'
import { BackupList } from '../backups/backup-list.tsx'
import { KeyList } from '../keys/key-list.tsx'
import { VIEW } from '../keys/view-switch.tsx'
import { InterfaceList } from './interface-list.tsx'

/** Interfaces of the server, the API keys of programs that use them, and the backups of the installation. */
export default function InterfacesysPage() {
  const [search] = useSearchParams()
  const view = search.get(VIEW)
  if (view === 'backups') return <BackupList />
  return view === 'keys' ? <KeyList /> : <InterfaceList />
}
