import type { Translated } from '../translated.ts';
import type { texts as english } from './en-us.ts';

/** The Hindi texts. */
export const texts: Translated<typeof english> = {
  field: {
    prefix: 'प्रीफ़िक्स',
    announcement_channel: 'घोषणा चैनल',
    beta: 'बीटा फ़ीचर',
    language: 'भाषा',
    enabledFeatures: 'फ़ीचर',
    name: 'सर्वर का नाम',
    icon: 'सर्वर का आइकन',
    presence: 'इस सर्वर पर बॉट',
  },
  object: {
    prefix: 'प्रीफ़िक्स',
    announcement_channel: 'घोषणा चैनल',
    beta: 'बीटा फ़ीचर',
    language: 'भाषा',
    enabledFeatures: 'फ़ीचर',
    name: 'सर्वर का नाम',
    icon: 'सर्वर का आइकन',
    presence: 'बॉट की मौजूदगी',
  },
  value: {
    none: 'खाली',
    on: 'चालू',
    off: 'बंद',
    present: 'हाँ',
    left: 'नहीं',
    unknown: 'पता नहीं',
  },
  changed: '{{field}}: {{from}} → {{to}}',
  more_one: '{{count}} और',
  more_other: '{{count}} और',
  person: {
    user: 'यूज़र {{id}}',
    erased: 'ऐसा यूज़र जिसका डेटा मिटा दिया गया',
    application: 'ऐप्लिकेशन',
    platform: 'Discord',
  },
  sentence: {
    field: '{{who}} ने {{field}} को {{from}} से बदलकर {{to}} किया',
    fields: '{{who}} ने इन्हें बदला: {{fields}}',
    undo: '{{who}} ने बदलाव {{change}} वापस लिया',
    restore: '{{who}} ने सेटिंग्स को बदलाव {{change}} की स्थिति पर लौटाया',
    restoreDefaults: '{{who}} ने डिफ़ॉल्ट सेटिंग्स लौटाईं',
    import: '{{who}} ने सेटिंग्स आयात कीं',
    joined: 'बॉट को इस सर्वर में जोड़ा गया',
    left: 'बॉट को इस सर्वर से हटाया गया',
    platform: 'Discord ने बदलाव बताया: {{fields}}',
    nothing: '{{who}} ने बिना किसी अंतर के सहेजा',
  },
  change: {
    prefix: {
      changed: '{{who}} ने प्रीफ़िक्स को {{from}} से बदलकर {{to}} किया',
      none: '{{who}} ने प्रीफ़िक्स वाले कमांड बंद किए (पहले: {{from}})',
      set: '{{who}} ने प्रीफ़िक्स वाले कमांड चालू किए (प्रीफ़िक्स: {{to}})',
    },
    announcement_channel: {
      changed: '{{who}} ने घोषणा चैनल को {{from}} से बदलकर {{to}} किया',
      set: '{{who}} ने घोषणाओं के लिए {{to}} चुना',
      none: '{{who}} ने घोषणाएँ बंद कीं (पहले का चैनल: {{from}})',
    },
    beta: {
      on: '{{who}} ने बीटा फ़ीचर चालू किए',
      off: '{{who}} ने बीटा फ़ीचर बंद किए',
    },
    language: {
      changed: '{{who}} ने भाषा को {{from}} से बदलकर {{to}} किया',
    },
    enabledFeatures: {
      added: '{{who}} ने चालू किया: {{added}}',
      removed: '{{who}} ने बंद किया: {{removed}}',
      both: '{{who}} ने चालू किया: {{added}}; बंद किया: {{removed}}',
      order: '{{who}} ने फ़ीचर का क्रम बदला',
    },
    name: {
      changed: 'सर्वर का नाम {{from}} से बदलकर {{to}} हुआ',
    },
    icon: {
      changed: 'सर्वर का आइकन बदल गया',
      none: 'सर्वर का अब कोई आइकन नहीं है',
    },
  },
  undoneBy: 'बदलाव {{change}} ने वापस लिया',
  undo: {
    done: 'बदलाव {{change}} वापस ले लिया गया।',
    same: 'सेटिंग्स पहले से वैसी ही हैं जैसी बदलाव {{change}} से पहले थीं। वापस लेने को कुछ नहीं है।',
    meanwhile: 'इस बीच सेटिंग्स बदल गई हैं। अभी कुछ नहीं किया गया।',
    later: 'बदलाव {{change}} वापस नहीं लिया जा सकता, क्योंकि बाद के बदलावों ने वही सेटिंग्स बदली हैं:',
    notUndoable: 'बदलाव {{change}} Discord ने किया था। सिर्फ़ सेटिंग्स के बदलाव वापस लिए जा सकते हैं।',
  },
  flaw: {
    tooLong: 'अधिकतम {{count}} अक्षर',
    leadingSpace: 'शुरुआत में खाली जगह नहीं',
    unprintable: 'अदृश्य नियंत्रण अक्षर नहीं',
    invisible: 'अदृश्य अक्षर ({{codePoint}}) नहीं',
    tooMany: 'अधिकतम {{count}} मान',
    tooShort: 'कम से कम {{count}} अक्षर',
    tooSmall: 'कम से कम {{count}}',
    tooLarge: 'अधिकतम {{count}}',
    notChoice: 'यह विकल्पों में से नहीं है',
    notId: 'यह Discord की आईडी नहीं है (17 से 20 अंक)',
  },
  flawIn: {
    enabledFeatures: { tooMany: 'एक साथ अधिकतम {{count}} फ़ीचर' },
  },
  live: 'इस सर्वर पर {{ms}} मिलीसेकंड में लागू।',
};
