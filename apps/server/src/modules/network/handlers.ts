import type { emittersEndpoints } from '@isotherm/contract/endpoints/network/emitters'
import type { groupsEndpoints } from '@isotherm/contract/endpoints/network/groups'
import type { networkEndpoints } from '@isotherm/contract/endpoints/network/network'
import type { nodeRecordEndpoints } from '@isotherm/contract/endpoints/network/node-record'
import type { pipesEndpoints } from '@isotherm/contract/endpoints/network/pipes'
import type { projectsEndpoints } from '@isotherm/contract/endpoints/network/projects'
import type { subdivisionsEndpoints } from '@isotherm/contract/endpoints/network/subdivisions'
import type { vausersEndpoints } from '@isotherm/contract/endpoints/network/vausers'
import type { zoneGisEndpoints } from '@isotherm/contract/endpoints/network/zone-gis'
import type { GuardPlaces } from '../../platform/guard-places.ts'
import type { HandlersOf } from '../../platform/http/handlers.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import type { NetworkService } from './answers/service.ts'
import { createEmitterEditor } from './attributes/edit-emitters.ts'
import { createPipeEditor } from './attributes/edit-pipes.ts'
import { createSubdivisionEditor } from './attributes/edit-subdivisions.ts'
import { createZoneGisEditor } from './attributes/edit-zone-gis.ts'
import { createGroupEditor } from './edit/edit-groups.ts'
import { createProjectEditor } from './edit/edit-projects.ts'
import { createSubUserEditor } from './edit/edit-sub-users.ts'
import { readNodeRecord } from './nodes/node-record.pg.ts'
import { readPlace } from './nodes/place.pg.ts'

type EditedEndpoints = typeof projectsEndpoints &
  typeof groupsEndpoints &
  typeof subdivisionsEndpoints &
  typeof vausersEndpoints &
  typeof zoneGisEndpoints &
  typeof pipesEndpoints &
  typeof emittersEndpoints

type NetworkHandlers = HandlersOf<
  | keyof typeof networkEndpoints
  | keyof typeof nodeRecordEndpoints
  | keyof EditedEndpoints
  | 'searchTree'
  | 'getPlace'
>

export function createNetworkHandlers(
  network: NetworkService,
  db: Database,
  guardPlaces: GuardPlaces,
): NetworkHandlers {
  const projects = createProjectEditor(db)
  const groups = createGroupEditor(db, guardPlaces)
  const subdivisions = createSubdivisionEditor(db, network)
  const subUsers = createSubUserEditor(db, network, guardPlaces)
  const zoneGis = createZoneGisEditor(db)
  const pipes = createPipeEditor(db, network)
  const emitters = createEmitterEditor(db, network)
  return {
    queryProjectList: (input, { caller, revisions }) => network.listProjects(caller, input, revisions.groups),
    getDevGroups: (input, { caller, revisions }) => network.getGroups(caller, input, revisions.groups),
    getSubdiv: (input, { caller }) => network.listSubdivisions(caller, input),
    getSubUser: (input, { caller, revisions }) => network.listSubUsers(caller, input, revisions.groups),
    getVauser: (input, { caller, revisions }) => network.listSubUsers(caller, input, revisions.groups),
    getLikeSubUser: ({ name, limiter }, { caller }) =>
      network.listSubUsers(caller, { filter: [{ field: 'name', cond: 'like', vstd: name }], limiter }),
    searchTree: (input, { caller, revisions }) => network.searchTree(caller, input, revisions.groups),
    getNodeRecord: ({ node }, { caller }) => readNodeRecord(db, caller, node),
    getPlace: ({ node }) => readPlace(db, node),
    addProject: projects.add,
    editProject: projects.edit,
    deleteProject: projects.remove,
    addDevGroup: groups.add,
    editDevGroup: groups.edit,
    deleteDevGroups: groups.remove,
    addSubdivision: subdivisions.add,
    insertSubdiv: subdivisions.add,
    editSubdivision: subdivisions.edit,
    deleteSubdivision: subdivisions.remove,
    addSubUser: subUsers.add,
    insertVauser: subUsers.add,
    editSubUser: subUsers.edit,
    deleteVauser: subUsers.remove,
    getZoneGis: zoneGis.list,
    updateZoneGis: zoneGis.save,
    getPipes: pipes.list,
    updatePipes: pipes.save,
    getHeatedNodes: emitters.list,
    updateEmitters: emitters.save,
  }
}
