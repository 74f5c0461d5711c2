import { zh as menu } from './zh.ts'

/** Texts of the map. */
export const zh = {
  ...menu,
  loading: '正在打开地图',
  label: '管网地图：{{count}} 处，按{{by}}着色。方向键移动，加减键缩放；同样的内容见列表。',
  side: { label: '地图或列表', map: '地图', list: '列表' },
  by: { label: '着色指标', health: '设备状态' },
  health: { good: '正常', caution: '部分异常', alarm: '半数以上异常', none: '无设备' },
  legend: { label: '图例', noValue: '无数据', station: '换热站', edge: '红边：半数以上设备异常' },
  control: { zoomIn: '放大', zoomOut: '缩小', fit: '显示全部', north: '北' },
  list: {
    label: '地图范围内的位置',
    total: '地图范围内 {{count}} 处',
    most: '地图范围内 {{count}} 处，列出前 {{shown}} 处；放大地图可缩小范围',
    none: '地图范围内没有位置',
    order: '排序',
    tree: '按管网顺序',
    lowest: '数值从低到高',
    highest: '数值从高到低',
  },
  tilesFailed: '底图未能加载，管网照常显示',
  ground: {
    refused: '底图文件 {{file}} 未显示：{{reason}}',
    failed: '底图文件 {{file}} 未能加载；管网照常显示',
    several: '未显示的底图文件：{{count}}',
    close: '关闭',
    fault: {
      unreadable: '服务器无法读取',
      'unknown-format': '既不是 GeoJSON 也不是 PMTiles',
      'too-large': 'GeoJSON 超过 16 MB，请改用 PMTiles',
      'no-json': '不是 JSON，或文件不完整',
      'no-geojson': '不是 GeoJSON 的 FeatureCollection',
      empty: '没有内容',
      'other-coordinates': '坐标不是 WGS-84 经纬度',
      'no-pmtiles': '不是 PMTiles 文件，或已损坏',
      'other-version': '不是第 3 版 PMTiles',
      'no-vectors': '是图片瓦片，需要矢量瓦片',
      'packed-otherwise': '压缩方式不是 gzip',
      'cut-off': '文件末尾缺失，请重新复制',
    },
  },
  old: '暂时无法更新，地图上是先前的数据',
  empty: {
    title: '还没有任何位置',
    hint: '在导入模板的“结构”工作表中填写“经度(°)”“纬度(°)”（WGS-84）后导入；也可在左侧选中一个节点，在地图上标注。',
    place: '标注 {{name}} 的位置',
  },
  unplaced: '{{name}} 还没有位置，显示的是其上级',
  place: {
    position: '位置',
    noPosition: '还没有位置',
    deviceCount: '设备 {{count}} 台',
    silent: '失联 {{count}} 台',
    bad: '数据可疑 {{count}} 台',
    values: '最新数值（平均）',
    valueOf: '{{low}} 至 {{high}}，{{count}} 台',
    noValues: '没有设备上报数值',
    pages: '相关页面',
    show: '在地图上居中',
    edit: '修改位置',
    add: '标注位置',
  },
  form: {
    system: '坐标系',
    wgs84: 'WGS-84',
    gcj02: 'GCJ-02',
    systemHint: 'GPS 设备给出 WGS-84；国内电子地图给出 GCJ-02，两者相差数百米。保存为 WGS-84。',
    longitude: '经度',
    latitude: '纬度',
    drag: '也可以拖动地图上的标记，或点击地图。',
    marker: '{{name}} 的新位置，可拖动',
    save: '保存位置',
    saved: '{{name}} 的位置已保存',
    cancel: '取消',
    remove: '从地图上移除',
    removeSure: '移除后 {{name}} 不再显示在地图上',
    removed: '{{name}} 已从地图上移除',
    stale: '读取最新位置',
  },
} as const

declare module 'i18next' {
  interface ResourceNamespaceMap {
    map: typeof zh
  }
}
