import { match } from '../../../shared/i18n/match.ts'
import { en as menu } from './en.ts'
import type { zh } from './pages.zh.ts'

export const en = match<typeof zh>()({
  ...menu,
  loading: 'Opening the map',
  label:
    'Map of the network: {{count}} places, coloured by {{by}}. Arrow keys move it, plus and minus zoom; the list shows the same.',
  side: { label: 'Map or list', map: 'Map', list: 'List' },
  by: { label: 'Coloured by', health: 'State of devices' },
  health: { good: 'Good', caution: 'Some fail', alarm: 'Half or more fail', none: 'No devices' },
  legend: {
    label: 'Legend',
    noValue: 'No data',
    station: 'Heat station',
    edge: 'Red edge: half of the devices or more fail',
  },
  control: { zoomIn: 'Zoom in', zoomOut: 'Zoom out', fit: 'Show all', north: 'N' },
  list: {
    label: 'Places on the map',
    total: 'Places on the map: {{count}}',
    most: 'Places on the map: {{count}}; the first {{shown}} are listed. Zoom in to narrow them down',
    none: 'No place in this part of the map',
    order: 'Order',
    tree: 'As in the network',
    lowest: 'Lowest first',
    highest: 'Highest first',
  },
  noWebgl: {
    title: 'This browser cannot draw the map',
    hint: 'The map needs WebGL 2: update the browser, or switch hardware acceleration on in its settings. The list works all the same.',
  },
  tilesFailed: 'The ground could not be loaded; the network is shown all the same',
  old: 'The map cannot be updated at present; it shows earlier data',
  empty: {
    title: 'Nothing has a position yet',
    hint: 'Fill in the columns Longitude (°) and Latitude (°) on the sheet Structure of the registry workbook, in WGS-84, and import it; or select a node on the left and place it here.',
    place: 'Place {{name}}',
  },
  unplaced: '{{name}} has no position yet; shown is what is above it',
  place: {
    position: 'Position',
    noPosition: 'No position yet',
    deviceCount: 'Devices: {{count}}',
    silent: 'Silent: {{count}}',
    bad: 'Doubtful: {{count}}',
    values: 'Newest values (mean)',
    valueOf: '{{low}} to {{high}}, devices: {{count}}',
    noValues: 'No device tells a value',
    pages: 'Pages about it',
    show: 'Centre on the map',
    edit: 'Change position',
    add: 'Place on the map',
  },
  form: {
    system: 'Coordinates',
    wgs84: 'WGS-84',
    gcj02: 'GCJ-02',
    systemHint:
      'GPS devices give WGS-84, Chinese web maps GCJ-02; they are some hundred metres apart. It is saved as WGS-84.',
    longitude: 'Longitude',
    latitude: 'Latitude',
    drag: 'You can also drag the marker on the map, or click the map.',
    marker: 'New position of {{name}}; can be dragged',
    save: 'Save position',
    saved: 'The position of {{name}} is saved',
    cancel: 'Cancel',
    remove: 'Take off the map',
    removeSure: '{{name}} will no longer be on the map',
    removed: '{{name}} is off the map',
    stale: 'Read the present position',
  },
})
