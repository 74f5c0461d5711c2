import { match } from '../../../shared/i18n/match.ts'
import type { registryZh } from './registry.zh.ts'

/** Texts of the registry of device models and profiles. */
export const registryEn = match<typeof registryZh>()({
  view: 'List',
  views: { devices: 'Devices', models: 'Models', profiles: 'Profiles' },
  searchModels: 'Model, maker, description, profile',
  searchProfiles: 'Name, id',
  maker: 'Maker',
  profile: 'Device profile',
  profileHint: 'How devices of this model are read and commanded on their field bus',
  model: 'Model {{name}}',
  addModel: 'Add model',
  modelSaved: 'Model {{name}} saved',
  deleteModel: 'Delete models',
  deleteModelQuestion: 'Delete {{count}} models? Models that still have devices are not deleted.',
  shared: 'All companies share models; only staff of the provider can change them',
  id: 'Id',
  bus: 'Bus',
  readings: 'Metrics read',
  commands: 'Can be set',
  command: { opening: 'valve opening', head: 'pump head', offset: 'supply temperature offset' },
  pollPeriod: 'Poll period',
  source: 'Source',
  builtIn: 'Built in',
  added: 'Added',
  builtInMeans:
    'A built-in profile cannot be changed. Save it, change its id and content, and add it as a new profile',
  addProfile: 'Add a profile file',
  replaceProfile: 'Replace by a file',
  profileSaved: 'Device profile {{name}} saved',
  deleteProfile: 'Delete profiles',
  deleteProfileQuestion: 'Delete {{count}} device profiles? Profiles that a model uses are not deleted.',
  comma: ', ',
})
