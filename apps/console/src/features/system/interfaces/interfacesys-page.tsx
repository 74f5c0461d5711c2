import { useSearchParams } from 'react-router'
import { KeyList } from '../keys/key-list.tsx'
import { VIEW } from '../keys/view-switch.tsx'
import { InterfaceList } from './interface-list.tsx'

/** Interfaces of the server, and the API keys of programs that use them. */
export default function InterfacesysPage() {
  const [search] = useSearchParams()
  return search.get(VIEW) === 'keys' ? <KeyList /> : <InterfaceList />
}
