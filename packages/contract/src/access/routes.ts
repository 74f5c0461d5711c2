/**
 * The route table of section 2 of the specification: each group by its permission value, with its path, its
 * default child, and its children in order with their permission values, all spelled as the
 * specification spells them (eqmonitor has pe-egmonitor, organsys has ps-oraigionsys).
 */
export const routes = {
  pewph: {
    path: '/ewph',
    first: 'fmreal',
    pages: {
      fmreal: 'pe-fmreal',
      irrreal: 'pe-irrreal',
      fmhistory: 'pe-fmhistory',
      fmcontrol: 'pe-fmcontrol',
      irrigation: 'pe-irrigation',
      irrgrpsx: 'pe-irrgrpsx',
      eqmonitor: 'pe-egmonitor',
      sxmonitor: 'pe-sxmonitor',
      enmonitor: 'pe-enmonitor',
      flowmonitor: 'pe-flowmonitor',
    },
  },
  prtjc: {
    path: '/rtjc',
    first: 'rtreal',
    pages: { rtreal: 'pr-rtreal', rthistory: 'pr-rthistory', rtalarm: 'pr-rtalarm' },
  },
  pcalr: { path: '/calr', first: 'caldata', pages: { caldata: 'pc-caldata' } },
  pgis: { path: '/gis', first: 'gisshow', pages: { gisshow: 'pg-gisshow' } },
  pstat: { path: '/stat', first: 'statsys', pages: { statsys: 'ps-statsys' } },
  pusers: { path: '/users', first: 'usersetting', pages: { usersetting: 'pu-usersetting' } },
  pgroup: {
    path: '/group',
    first: 'groupmanage',
    pages: { groupmanage: 'pg-groupmanage', groupctl: 'pg-groupctl' },
  },
  pdev: {
    path: '/dev',
    first: 'caldevmanager',
    pages: {
      devdebug: 'pd-devdebug',
      caldevmanager: 'pd-caldevmanager',
      rtcaldevmanager: 'pd-rtcaldevmanager',
      datadevmanager: 'pd-datadevmanager',
      fmdevmanager: 'pd-fmdevmanager',
    },
  },
  psys: {
    path: '/sys',
    first: 'modelsys',
    pages: {
      modelsys: 'ps-modelsys',
      organsys: 'ps-oraigionsys',
      rolecodesys: 'ps-rolecodesys',
      rolesys: 'ps-rolesys',
      usersys: 'ps-usersys',
      htusersys: 'ps-htusersys',
      logsys: 'ps-oplogsys',
      interfacesys: 'ps-interfacesys',
    },
  },
} as const

/** Target of `/`; requires no permission. */
export const HOME_PATH = '/dashboard'

type Routes = typeof routes
/** Permission value of a group of pages. */
export type ModuleGroup = keyof Routes
type ValueOf<Record> = Record[keyof Record]
/** Permission value of one page. */
export type PagePermission = ValueOf<{ [Group in ModuleGroup]: ValueOf<Routes[Group]['pages']> }>
/** Path of a page of the table, including the path of its group. */
export type GuardedPath = ValueOf<{
  [Group in ModuleGroup]: `${Routes[Group]['path']}/${keyof Routes[Group]['pages'] & string}`
}>
/** Path of any page. */
export type RoutePath = typeof HOME_PATH | GuardedPath

/** Entry of the table for a page. */
export interface GuardedRoute {
  readonly path: string
  readonly group: ModuleGroup
  readonly permission: PagePermission
}

/** The groups in the order of the specification. */
export const moduleGroups = Object.keys(routes) as readonly ModuleGroup[]

const toGuardedRoutes = (group: ModuleGroup): readonly GuardedRoute[] =>
  Object.entries(routes[group].pages).map(([child, permission]) => ({
    path: `${routes[group].path}/${child}`,
    group,
    permission,
  }))

/** Every page that needs a permission, in the order of the specification. */
export const guardedRoutes: readonly GuardedRoute[] = moduleGroups.flatMap(toGuardedRoutes)

const byPath: ReadonlyMap<string, GuardedRoute> = new Map(guardedRoutes.map((route) => [route.path, route]))

/** Entry of the table for a path; undefined if the path does not exist or requires no permission. */
export const findGuardedRoute = (path: string): GuardedRoute | undefined => byPath.get(path)
