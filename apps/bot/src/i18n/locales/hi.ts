import type { Locale } from '../locale.ts';

/** The Hindi texts. */
export const hi: Locale = {
  commands: {
    help: {
      name: 'मदद',
      description: 'सभी कमांड देखें या किसी एक के बारे में जानें',
      options: { command: { name: 'कमांड', description: 'किस कमांड के बारे में जानना है' } },
    },
    ping: { name: 'पिंग', description: 'देखें कि बॉट कितनी जल्दी जवाब देता है' },
    about: { name: 'जानकारी', description: 'देखें कि यह कौन-सा बॉट है और इसकी सेटिंग्स अप-टू-डेट हैं या नहीं' },
    settings: {
      name: 'सेटिंग्स',
      description: 'इस सर्वर की सेटिंग्स देखें और बदलें',
      subcommands: {
        show: { name: 'देखें', description: 'सेटिंग्स देखें' },
        set: {
          name: 'बदलें',
          description: 'कोई सेटिंग बदलें',
          options: {
            setting: { name: 'सेटिंग', description: 'कौन-सी सेटिंग' },
            value: { name: 'वैल्यू', description: 'नई वैल्यू; कुछ न रखना हो तो "खाली"' },
          },
        },
        reset: {
          name: 'रीसेट',
          description: 'किसी सेटिंग को वापस डिफ़ॉल्ट पर लाएँ',
          options: { setting: { name: 'सेटिंग', description: 'कौन-सी सेटिंग; "सभी" से सारी' } },
        },
      },
    },
    announce: {
      name: 'घोषणा',
      description: 'घोषणा चैनल में पोस्ट करें',
      options: { text: { name: 'टेक्स्ट', description: 'क्या घोषणा करनी है' } },
    },
    remind: {
      name: 'रिमाइंडर',
      description: 'ज़रूरी बातें याद दिलाने के लिए',
      subcommands: {
        add: {
          name: 'नया',
          description: 'इस चैनल में एक बार याद दिलाने के लिए',
          options: {
            when: { name: 'कब', description: '10 मिनट में, 18:00, कल 9:00 या 2026-12-24 18:00' },
            text: { name: 'टेक्स्ट', description: 'क्या याद दिलाना है' },
            timezone: { name: 'टाइमज़ोन', description: 'आपका टाइमज़ोन, जैसे Asia/Kolkata; न देने पर UTC' },
          },
        },
        every: {
          name: 'बार-बार',
          description: 'इस चैनल में बार-बार याद दिलाने के लिए (बीटा)',
          options: {
            interval: { name: 'अंतराल', description: 'हर कितने समय में: 2 घंटे, 1 दिन, या रोज़ किसी तय समय पर, जैसे 09:00' },
            text: { name: 'टेक्स्ट', description: 'क्या याद दिलाना है' },
            timezone: { name: 'टाइमज़ोन', description: 'आपका टाइमज़ोन, जैसे Asia/Kolkata; न देने पर UTC' },
          },
        },
        list: { name: 'लिस्ट', description: 'इस सर्वर पर अपने रिमाइंडर देखें' },
        cancel: {
          name: 'रद्द',
          description: 'अपना कोई रिमाइंडर रद्द करें',
          options: { number: { name: 'नंबर', description: 'लिस्ट में उसका नंबर' } },
        },
      },
    },
  },
  words: {
    prefix: 'प्रीफ़िक्स',
    announcement_channel: 'चैनल',
    beta: 'बीटा',
    language: 'भाषा',
    enabledFeatures: 'फ़ीचर',
    all: 'सभी',
    on: 'चालू',
    off: 'बंद',
    none: 'खाली',
  },
  help: {
    title: '**कमांड** (प्रीफ़िक्स: {{prefix}}; {{mention}} हमेशा काम करता है)',
    titleWithoutPrefix: '**कमांड** (स्लैश से या {{mention}} के बाद)',
    beta: 'बीटा',
    usage: 'ऐसे लिखें: {{usage}}',
    unknown: '{{name}} नाम की कोई कमांड नहीं है। {{help}} से सभी कमांड देखें।',
  },
  mentioned: {
    withPrefix: 'यहाँ मेरा प्रीफ़िक्स {{prefix}} है। {{help}} से सभी कमांड देखें।',
    withoutPrefix: 'यहाँ प्रीफ़िक्स वाली कमांड बंद हैं। {{help}} से सभी कमांड देखें।',
  },
  ping: { pong: 'पोंग! {{duration}}' },
  about: {
    bot: 'guild-settings बॉट {{version}}, {{count}} में से शार्ड {{shard}}',
    servers_one: '{{count}} सर्वर पर',
    servers_other: '{{count}} सर्वरों पर',
    live: 'सेटिंग्स अप-टू-डेट हैं (रिविज़न {{revision}})।',
    stale: 'सेटिंग्स सर्विस से संपर्क नहीं हो पा रहा है। सेटिंग्स का पिछला अपडेट: {{since}}।',
    syncing: 'सेटिंग्स लोड हो रही हैं; तब तक डिफ़ॉल्ट सेटिंग्स लागू रहेंगी।',
  },
  settings: {
    title: '**इस सर्वर की सेटिंग्स**',
    changed: '**{{setting}}**: {{before}} → {{after}}',
    unchanged: '**{{setting}}** पहले से ही {{value}} है। कुछ नहीं बदला गया।',
    prefixOff: 'प्रीफ़िक्स वाली कमांड अब बंद हैं। स्लैश कमांड और {{mention}} पहले की तरह काम करते रहेंगे।',
    more_one: 'और {{count}} अन्य',
    more_other: 'और {{count}} अन्य',
    badPrefix:
      'प्रीफ़िक्स में ज़्यादा से ज़्यादा {{max}} कैरेक्टर हो सकते हैं, उसके शुरू में स्पेस नहीं हो सकता और वह एक ही लाइन में होना चाहिए। {{none}} लिखने से प्रीफ़िक्स वाली कमांड बंद हो जाती हैं।',
    badLanguage: 'भाषा इनमें से कोई एक होनी चाहिए: {{languages}}।',
    badSwitch: '{{on}} या {{off}} लिखें।',
    badChannel: 'इस सर्वर का कोई चैनल चुनें, जैसे {{channel}}, या फिर {{none}} लिखें।',
    badFeatures: 'ज़्यादा से ज़्यादा {{max}} नाम कॉमा लगाकर लिखें, हर नाम में {{length}} कैरेक्टर तक, या फिर {{none}} लिखें।',
  },
  channel: {
    notYours: 'आपको {{channel}} में मैसेज भेजने की परमिशन नहीं है।',
    unwritable:
      'मैं {{channel}} में नहीं लिख सकता। वह ऐसा टेक्स्ट चैनल, अनाउंसमेंट चैनल या थ्रेड होना चाहिए जिसमें मुझे चैनल देखने और मैसेज भेजने की परमिशन हो।',
  },
  announce: {
    posted: '{{channel}} में पोस्ट कर दिया गया।',
    unset: 'कोई घोषणा चैनल सेट नहीं है। {{command}} से सेट करें।',
    unknown: 'घोषणा चैनल {{channel}} इस सर्वर का चैनल नहीं है। {{command}} से दूसरा सेट करें।',
  },
  remind: {
    added: '#{{id}}: मैं आपको {{relative}} याद दिलाऊँगा ({{moment}})।',
    addedEvery: '#{{id}}: मैं आपको बार-बार याद दिलाऊँगा, पहली बार {{relative}} ({{moment}})।',
    unreadable: 'समय {{input}} समझ नहीं आया। ऐसे लिखकर देखें: {{examples}}।',
    past: 'यह समय बीत चुका है: {{moment}}।',
    tooFar_one: 'इसमें अभी {{count}} साल से ज़्यादा बाकी है।',
    tooFar_other: 'इसमें अभी {{count}} साल से ज़्यादा बाकी हैं।',
    badZone: 'टाइमज़ोन {{zone}} मुझे नहीं पता। ऐसे लिखकर देखें: {{examples}}।',
    badInterval:
      '{{input}} से समझ नहीं आया कि हर कितने समय में याद दिलाना है। ऐसे लिखकर देखें: {{examples}}; कम से कम अंतर: {{minimum}}।',
    tooMany_one: 'इस सर्वर पर आपका {{count}} रिमाइंडर है और इससे ज़्यादा नहीं हो सकते। पहले उसे रद्द करें: {{command}}।',
    tooMany_other: 'इस सर्वर पर आपके {{count}} रिमाइंडर हैं और इससे ज़्यादा नहीं हो सकते। पहले कोई एक रद्द करें: {{command}}।',
    title_one: '**इस सर्वर पर आपका {{count}} रिमाइंडर है**',
    title_other: '**इस सर्वर पर आपके {{count}} रिमाइंडर हैं**',
    none: 'इस सर्वर पर आपका कोई रिमाइंडर नहीं है।',
    repeats: 'बार-बार',
    channelGone: 'भेजा नहीं जा सका: चैनल अब नहीं रहा',
    forbidden: 'भेजा नहीं जा सका: मुझे वहाँ लिखने की परमिशन नहीं है',
    cancelled: 'रिमाइंडर #{{id}} रद्द कर दिया गया।',
    unknown: 'इस सर्वर पर आपका कोई रिमाइंडर #{{id}} नहीं है। {{command}} से अपने रिमाइंडर देखें।',
    due: '⏰ {{user}}, आपने यह याद दिलाने को कहा था (#{{id}}):',
    late: '(यह {{moment}} याद दिलाना था; तब मैं ऑफ़लाइन था।)',
  },
  guard: {
    manager: 'यह सिर्फ़ वे मेंबर कर सकते हैं जिनके पास "सर्वर मैनेज करें" परमिशन है।',
    beta: '{{command}} एक बीटा फ़ीचर है, जो यहाँ बंद है। सर्वर मैनेज करने वाले इसे चालू कर सकते हैं: {{enable}}',
    feature: 'रिमाइंडर यहाँ बंद हैं। सर्वर मैनेज करने वाले इन्हें चालू कर सकते हैं: {{enable}}',
  },
  errors: {
    missing: '{{option}} देना ज़रूरी है। ऐसे लिखें: {{usage}}',
    tooLong_one: '{{option}} में ज़्यादा से ज़्यादा {{count}} कैरेक्टर हो सकता है।',
    tooLong_other: '{{option}} में ज़्यादा से ज़्यादा {{count}} कैरेक्टर हो सकते हैं।',
    notNumber: '{{option}} में कोई पूर्ण संख्या लिखें।',
    notChoice: '{{option}} के लिए इनमें से कोई एक चुनें: {{choices}}।',
    tooMany: '{{extra}} ज़रूरत से ज़्यादा है। जो शब्द एक साथ रखने हैं, उन्हें कोट्स में रखें। ऐसे लिखें: {{usage}}',
    unknownSubcommand: '{{command}} के बाद इनमें से कोई एक लिखें: {{subcommands}}।',
    unreachable: 'सेटिंग्स सर्विस से संपर्क नहीं हो पा रहा है। कुछ नहीं बदला गया; कृपया बाद में फिर कोशिश करें।',
    unconfirmed: 'सेटिंग्स सर्विस ने जवाब नहीं दिया, इसलिए हो सकता है कि बदलाव हो गया हो, या न हुआ हो। {{command}} से देख लें।',
    refused: 'सेटिंग्स सर्विस ने यह बदलाव स्वीकार नहीं किया: {{reason}}',
    tooOften: '{{command}} का इस्तेमाल बहुत जल्दी-जल्दी हुआ है। आप इसे {{relative}} फिर इस्तेमाल कर सकते हैं।',
    unexpected: 'मेरी तरफ़ से कुछ गड़बड़ हो गई। यह {{reference}} के नाम से लॉग में दर्ज है।',
  },
};
