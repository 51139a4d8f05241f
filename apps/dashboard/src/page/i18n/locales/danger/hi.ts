import type { Translated } from '@guild-settings/i18n';
import type { texts as english } from './en-us.ts';

export const texts: Translated<typeof english> = {
  title: 'मिटाना',
  heading: 'इस सर्वर की सेटिंग्स मिटाएँ',
  text: 'इसे वापस नहीं लिया जा सकता: डेटा न आप वापस ला सकते हैं, न हम।',
  erased: 'क्या मिटेगा',
  erasedSettings: 'सभी सेटिंग्स: डिफ़ॉल्ट तुरंत लागू होंगे।',
  erasedHistory: 'पूरा इतिहास: बदलाव, करने वाले और कारण। फिर कुछ भी वापस नहीं लिया या लौटाया जा सकेगा।',
  erasedAccess: 'ऐक्सेस सूची: सेटिंग्स सिर्फ़ प्रबंधक खोल सकते हैं।',
  remains: 'क्या रहेगा',
  remainsBot: 'बॉट डिफ़ॉल्ट सेटिंग्स के साथ सर्वर पर रहेगा।',
  remainsExports: 'निर्यात की गई फ़ाइलें आपकी हैं और जहाँ हैं वहीं रहेंगी।',
  remainsReminders: 'बॉट के यूज़र्स के रिमाइंडर रहेंगे।',
  exportFirst: 'पहले सेटिंग्स निर्यात करें',
  ownerOnly: 'इस सर्वर की सेटिंग्स और इतिहास सिर्फ़ इसका मालिक मिटा सकता है।',
  confirmLabel: 'पुष्टि के लिए सर्वर का नाम या उसकी ID {{id}} लिखें: {{name}}',
  confirmIdLabel: 'पुष्टि के लिए सर्वर की ID लिखें: {{id}}',
  confirmMismatch: 'यह न सर्वर का नाम है, न उसकी ID।',
  erase: 'सब कुछ मिटाएँ',
  busy: 'मिटाया जा रहा है…',
  failed: 'सर्विस ने इसकी पुष्टि नहीं की। मिटा या नहीं, यह देखने के लिए पेज फिर से लोड करें।',
  doneHeading: 'सब कुछ मिट गया',
  doneText: '{{name}} में अब डिफ़ॉल्ट सेटिंग्स हैं और कोई इतिहास नहीं।',
  doneLink: 'सेटिंग्स पर जाएँ',
};
