select register_read_model('report_history');
