/* One NSCC window of a 400 Gb/s NIC with full packets of 4,096 B, for replaying spec/uet-nic.md 9 signal by signal. */
#ifndef SGF_VALIDATION_CONGESTION_SUPPORT_H
#define SGF_VALIDATION_CONGESTION_SUPPORT_H

#include "nscc/nscc.h"

#define CC_BPS INT64_C(400000000000)
#define CC_US(us) ((us)*OPP_US)
enum {
  CC_M         = 4184,  /* nominal bytes of a full packet */
  CC_IN_FLIGHT = 300000 /* behind the signals below */
};

typedef struct cc {
  nscc_config_t config;
  nscc_params_t params;
  nscc_t window;
} cc_t;

extern const sgf_attr_set_t cc_set;

/* Settings are pairs of attribute and value; NULL: the defaults. */
#define CC_SETTINGS(...) ((const char* const[]){__VA_ARGS__, NULL})
void cc_configure(nscc_config_t* config, const char* const* settings);

/* A window that begins at date 0. */
void cc_begin(cc_t* cc, bool trimming, const char* const* settings);

/* A setting: the average delay is the latest sample. */
#define CC_SAMPLE_IS_AVERAGE "DelayAlpha", "1.0"

/* An acknowledgement with that queueing delay, one that gives no sample, and a trim that gives none. */
void cc_acknowledge(nscc_t* window, int64_t bytes, opp_simtime_t delay, bool marked, opp_simtime_t now);
void cc_acknowledge_without_sample(nscc_t* window, int64_t bytes, opp_simtime_t now);
void cc_trim(nscc_t* window, opp_simtime_t now);

/* The specification's decimals (0.8, 0.15, 4 x 4,184 / 6) are no binary fractions, and the last bits of a double depend
 * on the order of the operations: equal but for 1e-9. What comes out whole, or as a sum of powers of two, is compared
 * exactly instead. */
bool cc_is_close(double value, double expected);

#endif
